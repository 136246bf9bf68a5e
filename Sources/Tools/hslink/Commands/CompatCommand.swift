import ArgumentParser
import ComponentHost
import ComponentKit
import SystemSupport

/// `hslink compat`: compares two files.
struct CompatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compat",
        abstract: "Checks whether one plugin file may replace another; runs no code from either.",
        discussion: """
            EXAMPLES:
              hslink compat plugins/libGreeter.so .build/release/libGreeter.so
              hslink compat old.so new.so --json | jq '.differences[] | select(.severity == "incompatible")'

            Checks that the second file offers everything that the first one does: classes with their selectors, \
            parameters and results, the services that they provide, the models in payloads and results, and routes: \
            each must lead to the same selector, be no less public, and have no new tag, and each tag must keep an \
            interceptor. Additions are compatible if existing callers are not affected: a selector, an optional \
            parameter, a field of a result, a route. In the output, - marks the first file and + the second.

            With --json, prints one object: {"first": {"file", "name", "version"}, "second": {…}, "isCompatible", \
            "differences": [{"severity", "path", "change", "expected", "offered"}]}, where "severity" is \
            "incompatible", "notCompared" (a file has no note about the type) or "compatible". A value that a file \
            lacks is null.

            STATUS: 0 when the second file may replace the first, 1 when it may not or when either is not a component, \
            64 for a wrong command line.
            """)

    @Argument(
        help: ArgumentHelp("The file that callers were built against.", valueName: "first"),
        completion: .file(extensions: ["so"]))
    var first: String

    @Argument(
        help: ArgumentHelp("The file that would replace it.", valueName: "second"),
        completion: .file(extensions: ["so"]))
    var second: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let files = [FileReport(first), FileReport(second)]
        for file in files {
            if let error = file.error { Output.error("\(file.path.escaped): \(error.message.escapedMessage)") }
        }
        guard let report = CompatReport(files[0], files[1]) else { throw ExitCode.failure }
        if json { try Output.json(report.json()) } else { try Output.result(report.text) }
        if !report.comparison.isCompatible { throw ExitCode.failure }
    }
}
