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
        var report = JSONObject()
        report.set("first", try object(first))
        report.set("second", try object(second))
        try report.set("isCompatible", Payload(comparison.isCompatible))
        report.set("differences", try comparison.differences.map(object))
        return report.text
    }

    private func object(_ side: Side) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("file", side.path)
        try object.set("name", side.manifest.name)
        try object.set("version", "\(side.manifest.version)")
        return object
    }

    private func object(_ difference: ContractDifference) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("severity", difference.severity.rawValue)
        try object.set("path", difference.path)
        try object.set("change", difference.change)
        try object.set("expected", difference.expected)
        try object.set("offered", difference.offered)
        return object
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
