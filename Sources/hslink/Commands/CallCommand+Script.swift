import ArgumentParser
import Glibc
import Synchronization

extension CallCommand {
    /// Performs the calls that standard input holds.
    func runScript() async throws {
        if isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 {
            Output.note("Calls are read from this terminal, one a line; Ctrl-D ends them.")
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
        let local = makeHost()
        let end = try await interruption.during { try await script.run(on: .local(local)) }
        try await self.end(local, interruption.status ?? end.status, mayBeAtWork: end.mayBeAtWork)
    }
}

/// What SIGINT and SIGTERM do to a script: the first one cancels the call that is under way, a second one ends the process
/// at once.
private struct ScriptInterruption {
    private let input: Int32
    private let number = Number()

    private final class Number: Sendable {
        let value = Atomic<Int32>(0)
    }

    /// How long the end may take: what has been cancelled may not return.
    private static let patience = Duration.seconds(10)

    init() throws(UsageError) {
        input = try ScriptInterruption.orFail { () throws(SignalError) in
            try TerminationSignals.take([SIGINT, SIGTERM])
        }
    }

    /// As a shell has it for a program that a signal has ended; nil where none has come.
    var status: Int32? {
        let number = number.value.load(ordering: .relaxed)
        return number == 0 ? nil : 128 + number
    }

    /// Does `work`; the first signal cancels it.
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
