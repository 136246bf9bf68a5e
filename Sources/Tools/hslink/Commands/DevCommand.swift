import ArgumentParser
import Glibc

/// `hslink dev`: rebuilds and calls a component on every change.
struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract: "Builds and calls a component, and does so again whenever a source changes.",
        discussion: """
            EXAMPLES:
              hslink dev --call 'WeatherLink greet name=Ada'
              hslink dev Weather --components host/components
              hslink dev Weather --call 'WeatherLink greet name="Ada Lovelace" --json --deadline 5'
              hslink dev Weather --run '--data data --config host.yaml' --call 'WeatherLink greet name=Ada'
              hslink dev Weather --components plugins --host /run/user/1000/hslink.sock

            A folder with a Makefile is built with 'make', and the component is expected in .build, in build, or next \
            to the Makefile. Otherwise it is built with 'swift build', and the component is expected in .build/debug, or, \
            if SWIFTPM_BUILD_DIR names the build folder, in 'debug' there. \
            The built file and its resources are copied into the directory given with --components, as 'hslink copy' \
            does, then called by 'hslink call' in a separate process, so with a new host each time. Without --call, the \
            components in the directory are listed.

            All files in the folder and its subfolders are sources, except hidden files, the contents of hidden \
            folders such as .build and of the directory given with --components, and files that compilers and editors \
            write (*.o, *.so, *~, …). Changes that arrive together cause one build. A running build is completed \
            first; a running call is ended. If a build writes sources itself, it is repeated twice, and then another \
            change is awaited. What a host keeps with --data and --cache is no source, even in the same folder.

            With --run, a host of its own runs over the directory, with these options of 'hslink run'. After each \
            build it stops in order and is started again, and then takes the call. A line names its socket, for \
            calls of 'hslink call --host' in between. If a build fails, the host keeps the previous one and is not \
            called.

            With --host, a running host rescans its directories and takes the call; --components must name one of \
            these directories. If it still has older code of a component that was built in memory, a message says so \
            and the call is not made, since the answer would not be that of the new build: restart that host, or use \
            --run.

            Results and listings go to standard output, messages from builds and calls to standard error.

            SIGNALS: SIGINT, SIGTERM and SIGHUP end this program and every process that it started.

            STATUS: 128 plus the number of the signal that ended it (130 for Ctrl-C), 1 when the sources cannot be \
            watched or the build cannot be started, 64 for a wrong command line.
            """)

    @Argument(help: ArgumentHelp("The folder with the sources.", valueName: "dir"), completion: .directory)
    var folder = "."

    @Option(
        name: .customLong("components"),
        help: ArgumentHelp(
            "Install the component in this directory.", discussion: "Default: .build/hslink-dev in the folder.",
            valueName: "dir"),
        completion: .directory)
    var components: String?

    @Option(
        help: ArgumentHelp(
            "The call: the arguments of 'hslink call', including options, as one string.", valueName: "words"))
    var call: String?

    @Option(
        name: .customLong("run"), parsing: .unconditional,
        help: ArgumentHelp(
            "Run a host, and restart it after each build: options of 'hslink run', as one string, which may be empty.",
            valueName: "options"))
    var hostOptions: String?

    @OptionGroup var host: RunningHostOptions

    func validate() throws {
        guard components?.isEmpty != true else {
            throw ValidationError("--components: expected a directory, found an empty string")
        }
        if host.socket != nil && components == nil {
            throw ValidationError("--host needs --components with one of the directories that the host scans")
        }
        if host.socket != nil && hostOptions != nil { throw ValidationError("expected --run or --host, found both") }
        _ = try callWords()
    }

    // May block the thread: nothing else runs in this process.
    func run() async throws {
        let (call, run) = (try await checkedCall(), try await checkedRun())
        // A host or a component that writes beside the sources must not cause a build.
        let written = [call?.data.path, call?.data.cachePath, run?.data.path, run?.data.cachePath, run?.control]
        let number: Int32
        do throws(DevError) {
            let project = try ComponentProject(folder)
            let directory = HostDirectory(path: components ?? "\(project.folder)/.build/hslink-dev")
            let own = try ownHost(directory.path, control: run?.control)
            let steps = steps(directory.path, ownSocket: own?.socket)
            var session = DevSession(project, directory, steps: steps, host: own, written: written.compactMap(\.self))
            number = try session.run()
        } catch {
            Output.error(error.message)
            throw ExitCode.failure
        }
        throw ExitCode(128 + number)
    }

    /// Returns what to do after each build.
    ///
    /// - Parameter ownSocket: where the host of --run listens; nil without it.
    private func steps(_ directory: String, ownSocket: String?) -> [DevStep] {
        let call = (try? callWords()) ?? []
        let listOutput = call.isEmpty ? ChildProcess.Output.standardOutput : .standardError
        func list(_ place: [String]) -> [String] { [program, "list"] + place }
        func calls(_ place: [String]) -> [DevStep] {
            // These options precede the user's words, which may end in arguments that look like options.
            call.isEmpty ? [] : [DevStep(words: [program, "call"] + place + call, output: .standardOutput)]
        }
        // This host shows the components itself when it starts.
        if let ownSocket { return calls(["--host", ownSocket]) }
        guard let socket = host.socket else {
            let place = ["--plugins", directory]
            return call.isEmpty ? [DevStep(words: list(place), output: listOutput)] : calls(place)
        }
        let place = ["--host", socket]
        return [
            DevStep(words: list(place) + ["--rescan"], output: listOutput, consequence: .mustSucceed),
            DevStep(
                words: list(place) + ["--json"], output: .standardError, consequence: .mustBeCurrent(socket: socket)),
        ] + calls(place)
    }

    private var program: String { ProgramPlace.programPath ?? "hslink" }

    // MARK: - The host of --run

    /// Makes the host; nil without --run.
    private func ownHost(_ directory: String, control: String?) throws(DevError) -> DevHost? {
        guard let words = try? hostWords() else { return nil }
        return try DevHost(
            [program, "run", "--plugins", directory] + words, socket: control,
            output: call == nil ? .standardOutput : .standardError)
    }

    /// The words of --run; nil without it.
    private func hostWords() throws -> [String]? {
        guard let hostOptions else { return nil }
        guard let words = ShellWords(hostOptions)?.words.map(\.text) else {
            throw UsageError("--run: a quotation mark is not closed, or a backslash ends the string")
        }
        return words
    }

    /// Checks the options of --run before the first build.
    ///
    /// - Returns: the command that they make; nil without --run.
    private func checkedRun() async throws -> RunCommand? {
        guard let words = try hostWords() else { return nil }
        let command: RunCommand
        do {
            command = try await RunCommand.asyncParse(words)
        } catch {
            throw UsageError("--run: \(RunCommand.message(for: error))")
        }
        guard command.control != "none" else {
            throw UsageError("--run: the call needs the control socket; leave --control out, or name a socket")
        }
        return command
    }

    // MARK: - The call of --call

    /// The words of --call; empty without it.
    ///
    /// - Throws: a `ValidationError` if they cannot be a call, so that the mistake is reported before the first build.
    private func callWords() throws -> [String] {
        guard let call else { return [] }
        guard let words = ShellWords(call)?.words.map(\.text) else {
            throw ValidationError("--call: a quotation mark is not closed, or a backslash ends the string")
        }
        guard words.count > 1 else { throw ValidationError("--call: expected a class and a selector") }
        guard !words.contains(where: { $0 == "@-" || $0.hasSuffix("=@-") || $0.hasSuffix("=@?") }) else {
            throw ValidationError(
                "--call: values cannot be read from the terminal or standard input; use @FILE or @env:NAME")
        }
        return words
    }

    /// Checks the words of --call before the first build.
    ///
    /// - Returns: the command that they make; nil without --call.
    private func checkedCall() async throws -> CallCommand? {
        let words = try callWords()
        guard !words.isEmpty else { return nil }
        do {
            let command = try await CallCommand.asyncParse(words)
            guard !command.isScript else { throw UsageError("expected a class and a selector") }
            _ = try PayloadArguments(command.payload)
            return command
        } catch let error as UsageError {
            throw UsageError("--call: \(error.message)")
        } catch {
            throw UsageError("--call: \(CallCommand.message(for: error))")
        }
    }
}
