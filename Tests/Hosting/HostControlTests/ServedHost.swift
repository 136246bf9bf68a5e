import ComponentHost
import ComponentKit
import Foundation
import HostControl
import Logging
import TestSupport

/// A host with fixtures, and a server for it on a socket in a temporary directory.
struct ServedHost {
    let host: LinkHost
    let server: ControlServer
    let directory: TemporaryDirectory

    var socket: String { server.socket }

    /// Calls `body` with a host that is served, and stops both afterwards.
    ///
    /// - Parameters:
    ///   - fixtures: The names of the fixtures; see `Fixtures.file(_:)`.
    ///   - limits: The limits of the server.
    static func with<Value>(
        _ fixtures: [String], limits: ControlLimits = ControlLimits(),
        body: (ServedHost) async throws -> Value
    ) async throws -> Value {
        try await withPlugins { plugins in
            for name in fixtures { try plugins.add(name) }
            var options = HostOptions()
            options.logger = quietLogger
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: options)
            let directory = try TemporaryDirectory()
            let server = try ControlServer(
                host, socket: directory.path(of: "control"), limits: limits, logger: quietLogger)
            let running = Task { try await server.run() }
            let value = try await body(ServedHost(host: host, server: server, directory: directory))
            await server.stop(grace: .zero)
            try await running.value
            await host.stop(timeout: .seconds(300))
            return value
        }
    }

    /// Calls `body` with a client of it.
    func client<Value: Sendable>(_ body: @Sendable (ControlClient) async throws -> Value) async throws -> Value {
        try await ControlClient.connected(to: socket, body: body)
    }

    static let quietLogger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

extension ControlClient {
    /// Returns the value of a call that must be performed.
    func value(
        _ className: String, _ selector: String, _ payload: Payload = .null, kind: SelectorKind = .class
    ) async throws -> Payload {
        switch try await call(CallDescription(className, selector, payload, kind: kind)) {
        case .returned(let value): return value
        case .failed(let error): throw error
        case .notSendable(let error): throw error
        }
    }

    /// Returns the error of a call that must fail.
    func failure(
        _ className: String, _ selector: String, _ payload: Payload = .null, kind: SelectorKind = .class,
        timeout: Duration? = nil
    ) async throws -> LinkError? {
        let call = CallDescription(className, selector, payload, kind: kind, timeout: timeout)
        guard case .failed(let error) = try await self.call(call) else { return nil }
        return error
    }
}
