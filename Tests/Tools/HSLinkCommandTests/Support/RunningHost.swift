import Foundation
import TestSupport

/// A process of `hslink run`.
final class RunningHost: Sendable {
    /// The path of its socket.
    let socket: String
    private let program: StartedProgram
    private let directory: TemporaryDirectory

    /// Starts a host and waits until it listens.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after `run --control … --data …`.
    ///   - environment: Changes to the environment of this process; nil removes a variable.
    ///   - socket: The path of the socket; nil for a temporary one.
    /// - Throws: An error if it ends instead.
    static func start(
        _ arguments: [String], environment: [String: String?] = [:], socket: String? = nil
    ) async throws -> RunningHost {
        try await start(arguments, environment: environment, socket: socket, until: "listening at")
    }

    /// Starts a host and waits until its log has this text.
    static func start(
        _ arguments: [String], environment: [String: String?] = [:], socket: String? = nil, until text: String
    ) async throws -> RunningHost {
        let host = try RunningHost(arguments, environment: environment, socket: socket)
        guard await host.program.logs(text) else { throw Ended(log: host.log) }
        return host
    }

    struct Ended: Error { let log: String }

    private init(_ arguments: [String], environment: [String: String?], socket: String?) throws {
        directory = try TemporaryDirectory()
        self.socket = socket ?? directory.path(of: "socket")
        program = try StartedProgram(
            ["run", "--control", self.socket, "--data", directory.path(of: "data")] + arguments,
            environment: environment)
    }

    var identifier: Int32 { program.identifier }

    /// Its standard error so far.
    var log: String { program.log }

    /// Its standard output so far.
    var output: String { program.output }

    func signal(_ number: Int32) { program.signal(number) }

    /// Waits for its end. Kills it with SIGKILL if that takes too long.
    ///
    /// - Returns: Its exit status, or the negative number of the signal that ended it.
    func status() async -> Int32 { await program.status() }

    /// Sends a signal and waits for the end.
    func end(_ number: Int32 = SIGTERM) async -> Int32 { await program.end(number) }

    /// Waits until the log has a line with this text.
    func logs(_ text: String) async -> Bool { await holds { self.log.contains(text) } }

    /// Runs `hslink call --host` with it.
    func call(_ arguments: String...) async throws -> ProgramRun {
        try await hslink(["call", "--host", socket] + arguments)
    }

    /// Runs `hslink list --host` with it.
    func list(_ arguments: String...) async throws -> ProgramRun {
        try await hslink(["list", "--host", socket] + arguments)
    }
}
