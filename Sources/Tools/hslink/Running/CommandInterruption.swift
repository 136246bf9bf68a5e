import Glibc
import Synchronization

/// The handling of SIGINT and SIGTERM while a command works: the first signal cancels the work, a second one ends the
/// process at once.
final class CommandInterruption: Sendable {
    private let input: Int32
    private let number = Atomic<Int32>(0)

    /// How long the process may take to end. A limit is needed because a cancelled method may never return.
    private static let patience = Duration.seconds(10)

    /// - Throws: a ``SignalError`` if the system refuses.
    init() throws(SignalError) { input = try TerminationSignals.take([SIGINT, SIGTERM]) }

    /// The exit status that shells report for a program ended by the received signal; nil if none was received.
    var status: Int32? {
        let number = number.load(ordering: .sequentiallyConsistent)
        return number == 0 ? nil : 128 + number
    }

    /// Runs `work` and cancels it at the first signal.
    func during<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await work() }
        do throws(SignalError) {
            try TerminationSignals.handle(input, patience: CommandInterruption.patience) { [self] signal in
                number.store(signal, ordering: .sequentiallyConsistent)
                task.cancel()
            } reload: {
            }
        } catch {
            task.cancel()
            throw error
        }
        return try await task.value
    }

    /// Runs `work`, which shows something until the first signal cancels it.
    ///
    /// - Returns: the exit status; 0 after a signal.
    /// - Throws: ``PageFailure`` if signals cannot be handled, or the error of `work`.
    func watching(_ work: @escaping @Sendable () async throws -> Int32) async throws -> Int32 {
        do {
            return try await during(work)
        } catch let error as SignalError {
            throw PageFailure(error.message)
        } catch {
            guard status != nil else { throw error }
            return 0
        }
    }
}
