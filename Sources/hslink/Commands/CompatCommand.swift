import ArgumentParser
import ComponentHost
import ComponentKit
import SystemSupport

/// `hslink compat`: two files.
struct CompatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compat",
        abstract: "Says whether a plugin file may take the place of another; runs nothing of them.",
        discussion: """
            EXAMPLES:
              hslink compat plugins/libComponentVideo.so .build/release/libComponentVideo.so
              hslink compat old.so new.so --json | jq '.differences[] | select(.severity == "incompatible")'

            Compares all that the first file offers with what the second has: classes with their selectors, \
            parameters and results, the services they provide, and the models that travel. What the second adds is \
            fine where callers need not know of it: a selector, a parameter that may be missing, a field of a \
            result. In the output, - is what the first has, + what the second has.

            With --json, one object: {"first": {"file", "name", "version"}, "second": {…}, "isCompatible", \
            "differences": [{"severity", "path", "change", "expected", "offered"}]}, where "severity" is \
            "incompatible", "notCompared" (a file has no note about the type) or "compatible", and null stands where \
            a file has nothing.

            STATUS: 0 when the second may replace the first, 1 when not, or when one is no component, 64 for a wrong \
            command line.
            """)

    @Argument(
        help: ArgumentHelp("The file that callers were built against.", valueName: "first"),
        completion: .file(extensions: ["so"]))
    var first: String

    @Argument(
        help: ArgumentHelp("The file that is to take its place.", valueName: "second"),
        completion: .file(extensions: ["so"]))
    var second: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let files = [FileReport(first), FileReport(second)]
        for file in files {
            if let error = file.error { Output.error("\(file.path.escaped): \(error.message.escaped)") }
        }
        guard let report = CompatReport(files[0], files[1]) else { throw ExitCode.failure }
        if json { try Output.json(report.json()) } else { try Output.result(report.text) }
        if !report.comparison.isCompatible { throw ExitCode.failure }
    }
}
