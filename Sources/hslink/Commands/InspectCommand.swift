import ArgumentParser
import ComponentHost
import ComponentKit
import SystemSupport

/// `hslink inspect`: one file.
struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows what a plugin file, or a description of a library, says; runs nothing of it.",
        discussion: """
            EXAMPLES:
              hslink inspect plugins/libComponentVideo.so
              hslink inspect plugins/libComponentVideo.so --json | jq .manifest.classes
              hslink inspect plugins/zlib.hslink.json

            With --json, one object: {"file", "size", "sha256", "trust": {"isTrusted", "code", "reason"}, \
            "abi", "compiler", "soname", "neededLibraries", "runPath", "exportedSymbols", "manifest"}, and for \
            a file that is no component "error" with "code" and "message". What is not known is null. The \
            manifest is one object, however many notes of the file it was put together from, with what is meant where \
            the author wrote nothing ("module", "instances", "kind") added.

            STATUS: 0 for a component, also for one that is not trusted; 1 for any other file.
            """)

    @Argument(help: "The file.", completion: .file(extensions: ["so", "json"]))
    var file: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let report = FileReport(file)
        if json { try Output.json(report.json()) } else { try Output.result(report.text()) }
        guard let error = report.error else { return }
        Output.error("\(report.path.escaped): \(error.message.escaped)")
        throw ExitCode.failure
    }
}
