import FoundationEssentials
import ModelDrift
import SystemSupport

/// The report as one JSON object, described in the help.
struct ReportJSON: Encodable {
    private struct Warning: Encodable {
        let severity, kind, file: String
        let line, column: Int?
        let message: String
        let model, copy, member, original, originalFile: String?
        let originalLine: Int?
    }

    private struct Group: Encodable {
        struct Copy: Encodable {
            let name, file: String
            let line, column: Int
        }

        let name, original: String
        let copies: [Copy]
    }

    private let warnings: [Warning]
    private let models: [Group]
    private let files: Int

    init(_ report: DriftReport) {
        warnings = report.findings.map { finding in
            Warning(
                severity: finding.severity.rawValue, kind: finding.kind.rawValue, file: finding.file,
                line: finding.location?.line, column: finding.location?.column, message: finding.message,
                model: finding.model, copy: finding.copy, member: finding.member, original: finding.original,
                originalFile: finding.originalLocation?.file, originalLine: finding.originalLocation?.line)
        }
        models = report.models.map { group in
            let copies = group.copies.map { copy in
                Group.Copy(
                    name: copy.name, file: copy.location.file, line: copy.location.line, column: copy.location.column)
            }
            return Group(name: group.name, original: group.original.name, copies: copies)
        }
        files = report.files
    }

    /// The object on one line, with its line break.
    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self).escapedInJSON + "\n"
        }
    }
}
