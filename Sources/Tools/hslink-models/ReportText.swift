import ModelDrift
import SystemSupport

/// The report as lines, in the form of a compiler's warnings.
struct ReportText {
    private let report: DriftReport
    private let hasColor: Bool

    init(_ report: DriftReport, hasColor: Bool) {
        self.report = report
        self.hasColor = hasColor
    }

    /// One line for each finding.
    var findings: String { report.findings.map { line($0) + "\n" }.joined() }

    private func line(_ finding: DriftFinding) -> String {
        let place = finding.location.map { ":\($0.line):\($0.column)" } ?? ""
        // The colours of Swift's compiler.
        let color = finding.severity == .warning ? "\u{1B}[1;35m" : "\u{1B}[1;36m"
        let severity = hasColor ? "\(color)\(finding.severity.rawValue):\u{1B}[0m" : "\(finding.severity.rawValue):"
        return "\(finding.file.escaped)\(place): \(severity) \(finding.message.escaped)"
    }

    /// What was read and found.
    var summary: String {
        let copies = report.models.reduce(0) { $0 + $1.copies.count }
        let models =
            report.models.isEmpty
            ? "no models with copies" : "\(counted(report.models.count, "model")) with \(copies) copies"
        return "\(models) in \(counted(report.files, "file")): \(counted(report.warningCount, "warning"))\n"
    }

    private func counted(_ count: Int, _ noun: String) -> String {
        "\(count == 0 ? "no" : "\(count)") \(noun)\(count == 1 ? "" : "s")"
    }
}
