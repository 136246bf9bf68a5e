import Foundation
import TestSupport

/// A process of the built `hslink` that runs in parallel with the test.
final class StartedProgram: Sendable {
    let identifier: Int32
    private let process: Process
    private let directory: TemporaryDirectory
    private let end: Task<Int32, Never>

    /// - Parameters:
    ///   - arguments: The arguments of `hslink`.
    ///   - environment: Changes to the environment of this process; nil removes a variable.
    ///   - standardInput: Its standard input; empty by default.
    ///   - standardError: Receives its standard error instead of ``log``.
    init(
        _ arguments: [String], environment: [String: String?] = [:], standardInput: Pipe? = nil,
        standardError: FileHandle? = nil
    ) throws {
        directory = try TemporaryDirectory()
        let process = Process()
        process.executableURL = BuiltProducts.hslink
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment
        for name in ["HSLINK_PATH", "HSLINK_DATA", "COLUMNS", "NO_COLOR", "NOTIFY_SOCKET"] { variables[name] = nil }
        variables.merge(environment.compactMapValues(\.self)) { $1 }
        process.environment = variables
        process.standardInput = standardInput ?? FileHandle.nullDevice
        for name in ["out", "err"] { try directory.write("", to: name) }
        let files = [directory.path(of: "out"), directory.path(of: "err")]
        let handles = try files.map { try FileHandle(forWritingTo: URL(filePath: $0)) }
        // As in ProgramRun: the process has its own copy.
        defer { for handle in handles { try? handle.close() } }
        process.standardOutput = handles[0]
        process.standardError = standardError ?? handles[1]
        let (ends, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            let isSignal = process.terminationReason == .uncaughtSignal
            continuation.yield(isSignal ? -process.terminationStatus : process.terminationStatus)
            continuation.finish()
        }
        try withUnblockedSignals { try process.run() }
        identifier = process.processIdentifier
        self.process = process
        end = Task { await ends.first { _ in true } ?? 0 }
    }

    deinit { if process.isRunning { kill(identifier, SIGKILL) } }

    var isRunning: Bool { process.isRunning }

    /// Its standard error so far.
    var log: String { (try? String(contentsOfFile: directory.path(of: "err"), encoding: .utf8)) ?? "" }

    /// Its standard output so far.
    var output: String { (try? String(contentsOfFile: directory.path(of: "out"), encoding: .utf8)) ?? "" }

    func signal(_ number: Int32) { kill(identifier, number) }

    /// Waits for its end. Kills it with SIGKILL if that takes too long.
    ///
    /// - Returns: Its exit status, or the negative number of the signal that ended it.
    func status() async -> Int32 {
        let guardian = Task { [identifier] in
            try await Task.sleep(for: TestPatience.limit(.seconds(300)))
            kill(identifier, SIGKILL)
        }
        defer { guardian.cancel() }
        return await end.value
    }

    /// Sends a signal and waits for the end.
    func end(_ number: Int32 = SIGTERM) async -> Int32 {
        signal(number)
        return await status()
    }

    /// Waits until standard error has a line with this text, or the process has ended.
    func logs(_ text: String) async -> Bool {
        await holds { self.log.contains(text) || !self.isRunning } && log.contains(text)
    }
}
