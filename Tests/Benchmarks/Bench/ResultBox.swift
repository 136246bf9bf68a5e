import ComponentKit

/// Carries a result out of a thread.
final class ResultBox<Value: Sendable>: Sendable {
    private let result = Lock<Result<Value, any Error>?>(nil)

    struct Empty: Error {}

    func fill(_ new: Result<Value, any Error>) { result.withLock { $0 = new } }

    func take() throws -> Value {
        guard let result = result.withLock({ $0 }) else { throw Empty() }
        return try result.get()
    }
}
