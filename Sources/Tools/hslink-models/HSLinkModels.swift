import ArgumentParser
import Glibc
import ModelDrift
import SystemSupport

#if !CommandLine
    #error("hslink-models needs the trait CommandLine: write traits: [\"CommandLine\"] at the dependency on HSLink")
#endif

/// Compares the copies of models in different modules.
///
/// | status | when                                                               |
/// |--------|--------------------------------------------------------------------|
/// | 0      | the check is done                                                  |
/// | 1      | there are warnings and `--strict` is given, or the output failed   |
/// | 64     | the command line is wrong (`EX_USAGE` of sysexits.h)               |
@main
struct HSLinkModels: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hslink-models",
        abstract: "Warns when the copies of a model in different modules differ.",
        discussion: """
            EXAMPLES:
              hslink-models Modules
              hslink-models Sources/Account Sources/Video --strict
              hslink-models . --exclude Tests --exclude '*Generated.swift'
              hslink-models . --json | jq -r '.warnings[].message'

            Reads the Swift files and the Objective-C headers in the directories. Types whose names differ only in \
            the prefix of a module are copies of one model: A_UserInfo, B_UserInfo, and UserInfo, which is the \
            original. Without an original, the others are compared with the copy that most of them agree with.

            A difference is a property or case that is missing or added, has another type, place, default, key or \
            raw value. Each is reported on one line: where the copy is, what it has, and what the original has.

            Comments above a type, or above or behind a property or case, begin with 'hslink-models:'.
              // hslink-models: copy of UserInfo   the type is a copy of UserInfo, whatever its name is
              // hslink-models: not a copy         the type is not a copy, despite its name
              // hslink-models: differs            the property, case or type may differ
              // hslink-models: without age, nick  the type may lack these properties or cases
            Text after another colon is the reason: '// hslink-models: differs: the server sends a number'.

            Hidden directories such as .build are skipped. A file that cannot be read is a warning.

            With --json, prints one object: {"warnings": [{"severity", "kind", "file", "line", "column", "message", \
            "model", "copy", "member", "original", "originalFile", "originalLine"}], "models": [{"name", "original", \
            "copies": [{"name", "file", "line", "column"}]}], "files"}. Keys that do not apply are left out.

            STATUS: 0 after the check, 1 with --strict if there are warnings, 64 for a wrong command line.
            """,
        version: "0.1.0")

    @Argument(
        help: ArgumentHelp("Directories with sources; single files are allowed too.", valueName: "dir"),
        completion: .directory)
    var directories: [String]

    @Flag(help: "Exit with status 1 if there are warnings.")
    var strict = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @Option(
        help: ArgumentHelp(
            """
            Leave out files and directories with a matching name, or with a matching path below DIR if the pattern \
            has a slash; * matches any characters but slashes. May be repeated.
            """, valueName: "pattern"))
    var exclude: [String] = []

    @Option(
        help: ArgumentHelp(
            "Also treat this as the prefix of a module, such as Shop in ShopUserInfo. May be repeated.",
            valueName: "prefix"))
    var prefix: [String] = []

    func validate() throws {
        for directory in directories {
            guard unsafe access(directory, F_OK) != 0 else { continue }
            throw ValidationError("\(directory.escaped): \(systemMessage(errno))")
        }
        if prefix.contains("") { throw ValidationError("expected a prefix such as 'Shop', found an empty one") }
        if exclude.contains("") { throw ValidationError("expected a pattern such as '*.pb.swift', found an empty one") }
    }

    func run() throws {
        let paths = directories.map(SourceFinder.plain)
        let report = DriftCheck(paths: paths, excluded: exclude, prefixes: prefix).run()
        let isWritten: Bool
        if json {
            isWritten = Output.write(try ReportJSON(report).text, to: STDOUT_FILENO)
        } else {
            let text = ReportText(report, hasColor: hasColor(STDOUT_FILENO))
            isWritten = Output.write(text.findings, to: STDOUT_FILENO)
            _ = Output.write(text.summary, to: STDERR_FILENO)
        }
        if !isWritten || strict && report.warningCount > 0 { throw ExitCode.failure }
    }

    static func main() {
        // A reader such as `head` may close the pipe early. That ends only the output.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            let status = exitCode(for: error)
            // The help and the version are results.
            guard !status.isSuccess else { exit(withError: error) }
            let message = fullMessage(for: error).escapedByLine(words: CommandLine.arguments)
            if !message.isEmpty { _ = Output.write(message + "\n", to: STDERR_FILENO) }
            Glibc.exit(status.rawValue)
        }
    }
}
