import ArgumentParser
import Glibc
import Synchronization

extension CallCommand {
    /// Performs the calls read from standard input.
    func runScript() async throws {
        if isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 {
            Output.note("Reading calls from this terminal, one per line; press Ctrl-D to finish.")
        }
        let script = CallScript(isJSON: json, keepsGoing: keepGoing, timeout: deadline?.duration)
        let interruption = try ScriptInterruption()
        if let socket = host.socket {
            let end = try await interruption.during {
                try await RemoteHost.connected(to: socket) { try await script.run(on: .remote($0)) }
            }
            let status = interruption.status ?? end.status
            if status != 0 { throw ExitCode(status) }
            return
        }
        let local = try LocalHost(components, data: data, configuration: settings)
        let end = try await interruption.during { try await script.run(on: .local(local)) }
        try await local.end(interruption.status ?? end.status, mayBeAtWork: end.mayBeAtWork)
    }
}

/// The handling of SIGINT and SIGTERM during a script: the first signal cancels the call in flight, a second one ends
/// the process at once.
private struct ScriptInterruption {
    private let input: Int32
    private let number = Number()

    private final class Number: Sendable {
        let value = Atomic<Int32>(0)
    }

    /// How long the process may take to end. A limit is needed because a cancelled method may never return.
    private static let patience = Duration.seconds(10)

    init() throws(UsageError) {
        input = try ScriptInterruption.orFail { () throws(SignalError) in
            try TerminationSignals.take([SIGINT, SIGTERM])
        }
    }

    /// The exit status that shells report for a program ended by the received signal; nil if none was received.
    var status: Int32? {
        let number = number.value.load(ordering: .relaxed)
        return number == 0 ? nil : 128 + number
    }

    /// Runs `work` and cancels it at the first signal.
    func during<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await work() }
        let number = number
        try ScriptInterruption.orFail { () throws(SignalError) in
            try TerminationSignals.handle(input, patience: ScriptInterruption.patience) { signal in
                number.value.store(signal, ordering: .relaxed)
                task.cancel()
            } reload: {
            }
        }
        return try await task.value
    }

    private static func orFail<Value>(_ body: () throws(SignalError) -> Value) throws(UsageError) -> Value {
        do throws(SignalError) {
            return try body()
        } catch {
            throw UsageError(message: error.message)
        }
    }
}
