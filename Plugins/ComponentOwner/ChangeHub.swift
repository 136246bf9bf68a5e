import ComponentKit
import ComponentOwnerContract

/// Sends each change to the subscribers of its owner, and posts it. Changes wait for a subscriber that does not read
/// them; when their number exceeds the limit, the subscription ends.
final class ChangeHub: Sendable {
    private typealias Stream = AsyncThrowingStream<OwnerChange, any Error>

    /// The limit on changes that wait for one subscriber.
    static let limit = 256

    private struct Subscriber {
        /// The key of the owner whose changes it receives.
        let owner: String
        let continuation: Stream.Continuation
    }

    private struct Subscribers {
        var all: [Int: Subscriber] = [:]
        var next = 0
        var isEnded = false
    }
    private let subscribers = Lock(Subscribers())
    private let post: @Sendable (OwnerChange) -> Void

    /// - Parameter post: Is called with each change, after it has been sent to the subscribers. Must not block.
    init(post: @escaping @Sendable (OwnerChange) -> Void = { _ in }) { self.post = post }

    /// The number of subscribers.
    var count: Int { subscribers.withLock { $0.all.count } }

    /// Returns the changes of an owner's data from now on, until the sequence is released or ``end()`` is called.
    func subscribe(to owner: String) -> AsyncThrowingStream<OwnerChange, any Error> {
        let (stream, continuation) = Stream.makeStream(bufferingPolicy: .bufferingOldest(ChangeHub.limit))
        let number = subscribers.withLock { subscribers -> Int? in
            guard !subscribers.isEnded else { return nil }
            subscribers.next += 1
            subscribers.all[subscribers.next] = Subscriber(owner: owner, continuation: continuation)
            return subscribers.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    /// Sends a change of an owner's data; called in the order of the changes.
    func send(_ change: OwnerChange, of owner: String) {
        let concerned = subscribers.withLock { subscribers in
            subscribers.all.values.filter { $0.owner == owner }.map(\.continuation)
        }
        for continuation in concerned {
            if case .dropped = continuation.yield(change) { continuation.finish(throwing: OwnerError.tooSlow) }
        }
        post(change)
    }

    /// Ends all sequences permanently.
    func end() {
        let all = subscribers.withLock { subscribers in
            defer { subscribers = Subscribers(isEnded: true) }
            return Array(subscribers.all.values)
        }
        for subscriber in all { subscriber.continuation.finish() }
    }

    private func remove(_ number: Int) {
        let removed = subscribers.withLock { $0.all.removeValue(forKey: number) }
        withExtendedLifetime(removed) {}
    }
}
