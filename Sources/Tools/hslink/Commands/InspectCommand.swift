import ArgumentParser
import ComponentHost
import ComponentKit
import SystemSupport

/// `hslink inspect`: shows the contents of a file.
struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows the contents of a plugin file or a library description without running its code.",
        discussion: """
            EXAMPLES:
              hslink inspect plugins/libComponentVideo.so
              hslink inspect plugins/libComponentVideo.so --json | jq .manifest.classes
              hslink inspect plugins/zlib.hslink.json
              hslink inspect plugins/libComponentVideo.so --config host.yaml

            With --json, prints one object: {"file", "size", "sha256", "trust": {"isTrusted", "code", "reason"}, \
            "abi", "compiler", "soname", "neededLibraries", "runPath", "exportedSymbols", "manifest"}, and "error" \
            with "code" and "message" if the file is not a component. Unknown values are null. The manifest is one \
            object, merged from all notes in the file, with the defaults ("module", "instances", "kind") filled in. \
            If routes were left out because they are not valid, "routeProblems" has the reasons. "resources" is null or \
            {"path", "files", "isComplete"}, each file {"name", "size"}; "error" says why a host would not use the \
            directory or a file. "disabledBy" is there only if the configuration disables the component: the setting \
            with its file.

            STATUS: 0 for a component, even one that is not trusted; 1 for any other file, or if a file of the configuration \
            cannot be used.
            """)

    @Argument(help: "The file.", completion: .file(extensions: ["so", "json"]))
    var file: String

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var settings: ConfigurationOptions

    func run() async throws {
        var report = FileReport(file)
        report.disabledBy = report.manifest.map(\.name).flatMap(try settings.disabling())
        if json { try Output.json(report.json()) } else { try Output.result(report.text()) }
        guard let error = report.error else { return }
        Output.error("\(report.path.escaped): \(error.message.escapedMessage)")
        throw ExitCode.failure
    }
}
