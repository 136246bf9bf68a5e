import ComponentKit
import ComponentOwnerContract

/// Hands each change to all subscribers. A subscriber that does not read keeps as many changes waiting as the
/// limit says, and is ended then.
final class ChangeHub: Sendable {
    private typealias Stream = AsyncThrowingStream<OwnerChange, any Error>

    /// Changes that wait for one subscriber.
    static let limit = 256

    private struct Subscribers {
        var all: [Int: Stream.Continuation] = [:]
        var next = 0
        var isEnded = false
    }
    private let subscribers = Lock(Subscribers())

    /// How many there are.
    var count: Int { subscribers.withLock { $0.all.count } }

    /// The changes from now on, until the sequence is released, or ``end()``.
    func subscribe() -> AsyncThrowingStream<OwnerChange, any Error> {
        let (stream, continuation) = Stream.makeStream(bufferingPolicy: .bufferingOldest(ChangeHub.limit))
        let number = subscribers.withLock { subscribers -> Int? in
            guard !subscribers.isEnded else { return nil }
            subscribers.next += 1
            subscribers.all[subscribers.next] = continuation
            return subscribers.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    /// Sends a change to all subscribers; called in the order of the changes.
    func send(_ change: OwnerChange) {
        for continuation in subscribers.withLock({ Array($0.all.values) }) {
            if case .dropped = continuation.yield(change) { continuation.finish(throwing: OwnerError.tooSlow) }
        }
    }

    /// Ends all sequences, for good.
    func end() {
        let all = subscribers.withLock { subscribers in
            defer { subscribers = Subscribers(isEnded: true) }
            return Array(subscribers.all.values)
        }
        for continuation in all { continuation.finish() }
    }

    private func remove(_ number: Int) {
        let removed = subscribers.withLock { $0.all.removeValue(forKey: number) }
        withExtendedLifetime(removed) {}
    }
}
