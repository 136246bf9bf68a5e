import ArgumentParser
import ComponentKit
import SystemSupport

/// The options of `page` and `pages` about the host.
struct PageOptions: ParsableArguments {
    @OptionGroup var host: RunningHostOptions

    @OptionGroup var components: ComponentOptions

    @OptionGroup var data: DataOptions

    @OptionGroup var settings: ConfigurationOptions

    func validate() throws { try host.refuse(components, data, configuration: settings) }

    /// The options that lead another command to the same host and configuration, quoted for a shell. Values given with
    /// --set are left out, because they may be secrets.
    var words: [String] { PageOptions.words(host, components, data: data, settings: settings) }

    /// Returns these words for another command, which has the same options.
    static func words(
        _ host: RunningHostOptions, _ components: ComponentOptions, data: DataOptions,
        settings: ConfigurationOptions
    ) -> [String] {
        let place: HostPlace = host.socket.map { .socket($0) } ?? .directories(components.directories)
        var words = place.optionWords
        if components.trustsAny { words.append("--trust-any") }
        if components.allowsOtherCompilers { words.append("--allow-other-compilers") }
        let options = [
            ("--data", [data.directory].compactMap(\.self)), ("--cache", [data.cacheDirectory].compactMap(\.self)),
            ("--config", settings.files), ("--secrets", settings.secrets),
            ("--environment", [settings.environmentName?.rawValue].compactMap(\.self)),
        ]
        return words + options.flatMap { name, values in values.flatMap { [name, $0.quotedForShell] } }
    }

    /// Calls `body` with the service of pages of the host.
    ///
    /// - Parameter body: returns the exit status.
    /// - Throws: an `ExitCode` with the status if it is not 0, or `ControlError` if the host cannot be reached.
    func withClient(_ body: @escaping @Sendable (PageClient) async throws -> Int32) async throws {
        if let socket = host.socket {
            let end = try await RemoteHost.connected(to: socket) { host in
                try await PageOptions.end { try await body(try await PageClient(.remote(host.client))) }
            }
            if end.status != 0 { throw ExitCode(end.status) }
            return
        }
        let local = try LocalHost(components, data: data, configuration: settings)
        let host = local.host
        let end = try await PageOptions.end { try await body(try await PageClient(.local(host))) }
        try await local.end(end.status, mayBeAtWork: end.mayBeAtWork)
    }

    private struct End: Sendable {
        let status: Int32
        /// Whether a method of a component may still be running.
        var mayBeAtWork = false
    }

    /// Reports why `work` failed; errors of the connection are passed on.
    private static func end(_ work: () async throws -> Int32) async throws -> End {
        do {
            return End(status: try await work())
        } catch let error as UsageError {
            Output.error(error.message)
            return End(status: ExitCode.validationFailure.rawValue)
        } catch let error as PageFailure {
            Output.error(error.message.escapedMessage)
            return End(status: ExitCode.failure.rawValue, mayBeAtWork: error.isEndedFromOutside)
        } catch let error as OutputError {
            Output.error(error.message)
            return End(status: ExitCode.failure.rawValue)
        }
    }
}
