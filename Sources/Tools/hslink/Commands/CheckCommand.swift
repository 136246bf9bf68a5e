import ArgumentParser

/// `hslink check`: prints everything that is wrong with files.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Prints all problems of descriptions and components, without running their code unless asked.",
        discussion: """
            EXAMPLES:
              hslink check zlib.hslink.json
              hslink check plugins
              hslink check plugins --json | jq '.files[].problems[]'
              hslink check plugins --config host.yaml
              hslink check plugins --load

            Each problem is one line, FILE:LINE:COLUMN: PATH: MESSAGE, as editors understand it; problems of a whole \
            file have no line. The rules are those of hosts, but a host stops at the first error of a description.

            Descriptions are compared with their libraries: a function without a symbol is a problem. Files in a \
            directory are checked together: a requirement that nothing meets is a problem, and so is a class that \
            another component has, and a type that the manifest of a component in C, C++ or Rust names and nothing \
            describes: its values are not checked. Components that the configuration disables count as missing, and are named on \
            standard error.

            With --load, each component is also loaded in a process of its own, and its descriptor compared with its \
            manifest: the name and the version, classes and selectors. This runs the initialisers of the file and its \
            function hslink_component; no component is created. Files that hosts refuse are not loaded.

            With --json, prints one object: {"files": [{"file", "problems": [{"line", "column", "path", \
            "message"}]}]}; "line", "column" and "path" are null for problems of a whole file. "disabledBy" is \
            there only if the configuration disables the component: the setting with its file.

            STATUS: 0 when there are no problems, 1 when there are any or a file of the configuration cannot be used, 64 \
            for a wrong command line.
            """)

    @Argument(
        help: ArgumentHelp("The files, or directories of files.", valueName: "file"),
        completion: .file(extensions: ["so", "json"]))
    var files: [String]

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Load components, each in a process of its own, and compare what they have with what they declare.")
    var load = false

    @Flag(help: .hidden)
    var loadHere = false

    @OptionGroup var settings: ConfigurationOptions

    func run() async throws {
        if loadHere { return try LoadedCheck.printProblems(of: files[0]) }
        var report = try CheckReport(files, settings)
        if load { report.load() }
        if json {
            try Output.json(report.json())
        } else if report.problemCount == 0 {
            try Output.result(report.summary)
        } else {
            try Output.result(report.lines.joined(separator: "\n"))
            Output.note(report.summary)
        }
        for file in report.files {
            if let setting = file.disabledBy { Output.note("\(file.path): disabled by \(setting)".escaped) }
        }
        if report.problemCount > 0 { throw ExitCode.failure }
    }
}
