import ArgumentParser
import Glibc
import HostControl
import ManifestRules
import SystemSupport

/// The command line of the component runtime.
///
/// | status | when                                                                 |
/// |--------|----------------------------------------------------------------------|
/// | 0      | the command succeeded                                                |
/// | 1      | the command failed; the reason is on standard error                  |
/// | 64     | the command line is wrong (`EX_USAGE` of sysexits.h)                 |
///
/// Results go to standard output, everything else to standard error.
@main
struct HSLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hslink",
        abstract: "Creates, lists, inspects, compares, calls and hosts components.",
        discussion: """
            EXAMPLES:
              hslink list --plugins plugins
              hslink inspect plugins/libComponentVideo.so
              hslink check plugins
              hslink compat plugins/libGreeter.so .build/release/libGreeter.so
              hslink call VideoLink probe path=clip.mp4 --plugins plugins
              hslink open studio://owner --plugins plugins
              hslink routes --plugins plugins
              hslink events --plugins plugins
              hslink config --plugins plugins --config host.yaml
              hslink run --plugins plugins --config host.yaml
              hslink stats --watch
              hslink health --ready
              hslink import zlib.h --library z --output plugins/zlib.hslink.json
              hslink new component Weather
              hslink dev Weather --call 'WeatherLink greet name=Ada'
              hslink copy .build/release --components plugins
              hslink layers Weather

            Plugin files are read from the directories given with --plugins; without that option, from those in \
            HSLINK_PATH (separated by colons), else from 'plugins' next to this program.

            'hslink --generate-completion-script bash' (or zsh, or fish) prints a script that completes commands, \
            classes, selectors and keys in the shell.

            STATUS: 0 on success, 1 on failure, 64 for a wrong command line.
            """,
        version: "0.1.0",
        subcommands: [
            ListCommand.self, InspectCommand.self, CheckCommand.self, CompatCommand.self, CallCommand.self,
            OpenCommand.self,
            RoutesCommand.self, EventsCommand.self, PageCommand.self, PagesCommand.self, ConfigCommand.self,
            RunCommand.self, StatsCommand.self, HealthCommand.self, ImportCommand.self, NewCommand.self,
            DevCommand.self, CopyCommand.self, LayersCommand.self,
        ])

    static func main() async {
        Output.reserveDescriptors()
        // Before any component can change the current directory.
        _ = InputFile.startDirectory
        // A reader such as `head` may close the pipe early. That ends only the output, not the process.
        signal(SIGPIPE, SIG_IGN)
        if let problem = CommandWords.problem {
            Output.error(problem)
            Glibc.exit(ExitCode.validationFailure.rawValue)
        }
        var command: any ParsableCommand
        do {
            command = try await asyncParseAsRoot()
        } catch {
            end(after: error)
        }
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let error as UsageError {
            let command = type(of: command)
            Output.error(error.message)
            Output.note("Usage: \(usageString(for: command))")
            Output.note("  See '\(path(to: command)) --help' for more information.")
            Glibc.exit(ExitCode.validationFailure.rawValue)
        } catch let error as OutputError {
            Output.error(error.message)
            Glibc.exit(ExitCode.failure.rawValue)
        } catch let error as SignalError {
            Output.error(error.message)
            Glibc.exit(ExitCode.failure.rawValue)
        } catch let error as ControlError {
            Output.error(error.message.escapedMessage)
            Glibc.exit(ExitCode.failure.rawValue)
        } catch {
            end(after: error)
        }
    }

    /// Ends the process with the message and the status that belong to an error.
    private static func end(after error: any Error) -> Never {
        let status = exitCode(for: error)
        // The help, the version and scripts for shells are results, and have no foreign text.
        guard !status.isSuccess else { exit(withError: error) }
        let message = (fullMessage(for: error) + advice).escapedByLine(words: CommandWords.quotable)
        if !message.isEmpty { Output.note(message) }
        Glibc.exit(status.rawValue)
    }

    /// A line about the command that was probably meant by one that does not exist; empty if there is none.
    private static var advice: String {
        var words = ["hslink"]
        var command: any ParsableCommand.Type = HSLink.self
        for word in CommandLine.arguments.dropFirst() {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { return "" }
            guard let next = commands.first(where: { $0.configuration.commandName?.isExactly(word) == true }) else {
                let names = commands.compactMap { $0.configuration.commandName }
                let similar = SimilarName.nearest(to: word, in: names)
                return similar.map { "\nDid you mean '\((words + [$0]).joined(separator: " "))'?" } ?? ""
            }
            words.append(word)
            command = next
        }
        return ""
    }

    /// The words that invoke a command, as in "hslink new component".
    private static func path(to command: any ParsableCommand.Type) -> String {
        let parents = configuration.subcommands.filter { parent in
            parent.configuration.subcommands.contains { $0 == command }
        }
        return (["hslink"] + (parents + [command]).compactMap { $0.configuration.commandName }).joined(separator: " ")
    }
}
