import ArgumentParser
import ComponentHost
import ComponentKit
import HostContract
import HostControl
import Logging
import SystemSupport

/// The options of `list`, `call` and `run` about where components come from and which files are trusted.
struct ComponentOptions: ParsableArguments {
    @Option(
        name: .customLong("plugins"),
        help: ArgumentHelp(
            "A directory of plugin files. May be repeated.",
            discussion: "Default: the directories in HSLINK_PATH, else 'plugins' next to this program.",
            valueName: "dir"),
        completion: .directory)
    var directories: [String] = []

    @Flag(
        name: .customLong("allow-other-compilers"),
        help: ArgumentHelp(
            "Load components that share the Swift runtime even if another compiler version built them.",
            discussion: "WARNING: their layout of Swift types may differ from this program's; they may crash."))
    var allowsOtherCompilers = false

    @Flag(
        name: .customLong("trust-any"),
        help: ArgumentHelp(
            "Load plugin files regardless of their owner and permissions.",
            discussion: """
                WARNING: their code can do everything that you can do. Use this only for directories that no one else \
                can reach, as in a container.
                """))
    var trustsAny = false

    @Option(
        name: .customLong("log-level"),
        help: ArgumentHelp(
            "Log to standard error at this level and above.",
            discussion: "Default: 'error'; 'info' for 'hslink run'.", valueName: "level"))
    var logThreshold: LogThreshold?

    /// Creates a host for the directories; loads nothing and does not lock the data directory yet.
    ///
    /// - Parameters:
    ///   - data: where components keep their data; nil if the command does not call components.
    ///   - logger: receives the host's log; nil to log to standard error.
    ///   - configure: changes the options of the host.
    func makeHost(
        data: DataOptions? = nil, logger: Logger? = nil, _ configure: (inout HostOptions) -> Void = { _ in }
    ) -> LinkHost {
        var options = HostOptions()
        options.dataDirectory = data?.path
        options.cacheDirectory = data?.cachePath
        // Other commands run no code of components.
        if data != nil { options.crashReports = .text }
        options.trust = trustsAny ? .unchecked : .strict
        options.allowsOtherCompilers = allowsOtherCompilers
        let level = (logThreshold ?? .error).level
        options.logger = logger ?? Logger(label: "hslink") { _ in StandardErrorLog(logLevel: level) }
        configure(&options)
        return LinkHost(components: directories.isEmpty ? nil : directories, options: options)
    }

    /// Writes to standard error which directories were not searched, and why.
    ///
    /// - Parameter word: the start of each line; "Error" if the user named the directories, else "Warning".
    /// - Returns: whether the user named directories, and some were not searched.
    @discardableResult
    func report(_ rejections: [RejectionRow], as word: String? = nil) -> Bool {
        let word = word ?? (directories.isEmpty ? "Warning" : "Error")
        for rejection in rejections {
            Output.note("\(word): \(rejection.path.escaped): \(rejection.reason.escaped)")
        }
        return !directories.isEmpty && !rejections.isEmpty
    }

    /// Asks a class that every host has: of a running host, or of one that this command makes.
    ///
    /// - Parameters:
    ///   - host: the running host, if one was given.
    ///   - rejected: receives the directories that a host in this process does not search.
    ///   - settings: the configuration of a host in this process.
    ///   - configure: changes the options of such a host.
    /// - Throws: `ControlError` with the reason why there is no answer; an `ExitCode` if a file of the configuration
    ///   cannot be used.
    func ask(
        _ host: RunningHostOptions, className: String, selector: String, payload: Payload,
        rejected: inout [RejectionRow], settings: ConfigurationOptions? = nil,
        configure: (inout HostOptions) -> Void = { _ in }
    ) async throws -> Payload {
        if let socket = host.socket {
            return try await ControlClient.connected(to: socket) {
                try await $0.ask(className, selector, payload: payload)
            }
        }
        let host = makeHost { options in
            settings?.apply(to: &options)
            configure(&options)
        }
        try settings?.verify(host)
        rejected = HostContents(host).rejectedDirectories
        do throws(LinkError) {
            return try await host.call(className, selector, payload, kind: .class)
        } catch {
            throw ControlError(.connectionLost, error.message)
        }
    }
}

extension ControlClient {
    /// Asks a class that every host has.
    ///
    /// - Throws: `ControlError` with the reason why there is no answer.
    func ask(_ className: String, _ selector: String, payload: Payload = .null) async throws -> Payload {
        let limit = CallLimit.standard.duration
        switch try await call(CallDescription(className, selector, payload, kind: .class, timeout: limit)) {
        case .returned(let answer): return answer
        case .failed(let error): throw ControlError(.connectionLost, "the host answered: \(error.message)")
        case .notSendable: throw ControlError(.connectionLost, "the host's answer cannot be sent")
        }
    }
}
