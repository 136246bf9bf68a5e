import ComponentHost
import ComponentKit
import SystemSupport

/// The output of `hslink compat`.
struct CompatReport {
    private struct Side {
        let path: String
        let manifest: Manifest

        var title: String { "\(manifest.name) \(manifest.version)" }
    }

    private let first: Side
    private let second: Side
    let comparison: ContractComparison

    /// Compares two files; nil if either of them is not a component.
    init?(_ first: FileReport, _ second: FileReport) {
        guard let old = first.manifest, let new = second.manifest, first.error == nil, second.error == nil else {
            return nil
        }
        self.first = Side(path: first.path, manifest: old)
        self.second = Side(path: second.path, manifest: new)
        comparison = ContractComparison(replacing: old, with: new)
    }

    /// The differences, the most severe first, followed by a line with the verdict.
    var text: String {
        let blocks = comparison.differences.map { difference in
            let lines = difference.description.split(separator: "\n", omittingEmptySubsequences: false)
            let marked = ["\(difference.severity.word): \(lines[0])"] + lines.dropFirst().map { "  \($0)" }
            return marked.map(\.escaped).joined(separator: "\n")
        }
        return (blocks + [verdict.escaped]).joined(separator: "\n")
    }

    private var verdict: String {
        let counts = [
            (comparison.differences(.incompatible).count, "incompatible"),
            (comparison.differences(.notCompared).count, "not compared"),
            (comparison.differences(.compatible).count, "compatible"),
        ].filter { $0.0 > 0 }.map { "\($0) \($1)" }
        let words = comparison.isCompatible ? "may replace" : "may not replace"
        let ending = counts.isEmpty ? "no differences" : counts.joined(separator: ", ")
        return "\(second.title) \(words) \(first.title): \(ending)"
    }

    /// Returns the report as one JSON object, described in the help of `hslink compat`.
    func json() throws(PayloadError) -> String {
        let report: Payload = [
            "first": object(first), "second": object(second), "isCompatible": .bool(comparison.isCompatible),
            "differences": .array(comparison.differences.map(object)),
        ]
        return try report.json()
    }

    private func object(_ side: Side) -> Payload {
        [
            "file": .string(side.path), "name": .string(side.manifest.name),
            "version": .string("\(side.manifest.version)"),
        ]
    }

    private func object(_ difference: ContractDifference) -> Payload {
        [
            "severity": .string(difference.severity.rawValue), "path": .string(difference.path),
            "change": .string(difference.change), "expected": difference.expected.payload,
            "offered": difference.offered.payload,
        ]
    }
}

extension ContractDifference.Severity {
    fileprivate var word: String {
        switch self {
        case .incompatible: "incompatible"
        case .notCompared: "not compared"
        case .compatible: "compatible"
        }
    }
}
