import ArgumentParser
import Glibc

/// `hslink dev`: build and call again at every change.
struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract: "Builds a component and calls it, again whenever one of its sources changes.",
        discussion: """
            EXAMPLES:
              hslink dev --call 'WeatherLink greet name=Ada'
              hslink dev Weather --components host/components
              hslink dev Weather --call 'WeatherLink greet name="Ada Lovelace" --json --deadline 5'
              hslink dev Weather --components plugins --host /run/user/1000/hslink.sock

            Where there is a Makefile, 'make' builds, and the component is found in .build, in build, or beside the \
            Makefile; else 'swift build' does, and it is found in .build/debug. What was built is put into the directory \
            of --components by renaming (mode 0755), and then called by 'hslink call' in a process of its own, so with a \
            new host each time. Without --call the components of the directory are listed.

            All files in the folder and below are sources, except hidden ones, with all that is in hidden folders (.build), \
            and those that compilers and editors write (*.o, *.so, *~, …). Changes that come together are one build; a \
            build that runs is finished first, a call that runs is ended.

            With --host, a host that runs already looks through its directories, one of which --components has to name, and \
            takes the call. What it has in memory it keeps until it is restarted; the list says so.

            Values and listings go to standard output, what build and calls say to standard error.

            SIGNALS: SIGINT, SIGTERM and SIGHUP end it and all that it has started.

            STATUS: 128 and the number of the signal that ended it (130 for Ctrl-C), 1 when the sources cannot be watched or \
            built at all, 64 for a wrong command line.
            """)

    @Argument(help: ArgumentHelp("The folder of the sources.", valueName: "dir"), completion: .directory)
    var folder = "."

    @Option(
        name: .customLong("components"),
        help: ArgumentHelp(
            "Put the component into this directory.", discussion: "Without it, .build/hslink-dev in the folder.",
            valueName: "dir"),
        completion: .directory)
    var components: String?

    @Option(
        help: ArgumentHelp(
            "What to call: the words behind 'hslink call', options too, in one text.", valueName: "words"))
    var call: String?

    @OptionGroup var host: RunningHostOptions

    func validate() throws {
        guard components?.isEmpty != true else {
            throw ValidationError("--components: expected a directory, the text is empty")
        }
        if host.socket != nil && components == nil {
            throw ValidationError("--host needs --components with a directory that the host looks into")
        }
        _ = try callWords()
    }

    /// Nothing else happens in this process: the thread is the session's.
    func run() async throws {
        try await checkCall()
        let number: Int32
        do throws(DevError) {
            let project = try ComponentProject(folder)
            let directory = HostDirectory(path: components ?? "\(project.folder)/.build/hslink-dev")
            var session = DevSession(project, directory, commands: commands(directory.path))
            number = try session.run()
        } catch {
            Output.error(error.message)
            throw ExitCode.failure
        }
        throw ExitCode(128 + number)
    }

    private func commands(_ directory: String) -> [(words: [String], output: ChildProcess.Output)] {
        let program = ProgramPlace.programPath ?? "hslink"
        let place = host.socket.map { ["--host", $0] } ?? ["--plugins", directory]
        let call = (try? callWords()) ?? []
        let list = ([program, "list"] + place, call.isEmpty ? ChildProcess.Output.standardOutput : .standardError)
        // In front of the words: what they end with may be arguments that look like options.
        let calls = call.isEmpty ? [] : [([program, "call"] + place + call, ChildProcess.Output.standardOutput)]
        guard host.socket == nil else { return [(list.0 + ["--rescan"], list.1)] + calls }
        return call.isEmpty ? [list] : calls
    }

    /// The words of --call; none without it.
    ///
    /// - Throws: what is wrong with them: it would be so after every build.
    private func callWords() throws -> [String] {
        guard let call else { return [] }
        guard let words = ShellWords(call)?.words.map(\.text) else {
            throw ValidationError("--call: a quotation mark is open at the end, or there is a backslash")
        }
        guard words.count > 1 else { throw ValidationError("--call: expected a class and a selector") }
        guard !words.contains(where: { $0 == "@-" || $0.hasSuffix("=@-") || $0.hasSuffix("=@?") }) else {
            throw ValidationError("--call: a value cannot be asked for at every call; take @FILE or @env:NAME")
        }
        return words
    }

    private func checkCall() async throws {
        let words = try callWords()
        guard !words.isEmpty else { return }
        do {
            let command = try await CallCommand.asyncParse(words)
            guard !command.isScript else { throw UsageError(message: "expected a class and a selector") }
            _ = try PayloadArguments(command.payload)
        } catch let error as UsageError {
            throw UsageError(message: "--call: \(error.message)")
        } catch {
            throw UsageError(message: "--call: \(CallCommand.message(for: error))")
        }
    }
}
