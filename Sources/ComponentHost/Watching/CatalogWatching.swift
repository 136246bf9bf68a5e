import ComponentKit

/// What comes and goes in the directories of a host, as it happens; see ``LinkHost/watch()``.
///
/// Ends when the host stops. Letting go of it, or cancelling the task that waits, ends the watching. One who does not
/// come for them loses the oldest after some thousand changes.
public struct CatalogChanges: AsyncSequence, Sendable {
    /// A change at a time.
    public typealias Element = CatalogChange
    /// It ends, and does not fail.
    public typealias Failure = Never

    let stream: AsyncStream<CatalogChange>

    /// Waits for changes; one iterator at a time gets each.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<CatalogChange>.Iterator

        /// The next change; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> CatalogChange? {
            await base.next(isolation: actor)
        }
    }

    /// An iterator over what comes from now on, and what has been kept.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }
}

/// Those who want to know what comes and goes, and the one watcher that works for them.
final class CatalogWatching: Sendable {
    private struct State {
        var next = 0
        var subscribers: [Int: AsyncStream<CatalogChange>.Continuation] = [:]
        var watcher: DirectoryWatcher?
        var isEnded = false
    }

    /// Of changes that nobody has come for.
    private static let kept = 4096

    private let state = Lock(State())

    /// The changes from now on; at its end at once when the host is stopped.
    func subscribe(_ core: HostCore) -> AsyncStream<CatalogChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: CatalogChange.self, bufferingPolicy: .bufferingNewest(CatalogWatching.kept))
        let key: Int? = state.withLock { state in
            guard !state.isEnded else { return nil }
            state.next += 1
            state.subscribers[state.next] = continuation
            if state.watcher == nil { state.watcher = CatalogWatching.start(core) }
            return state.next
        }
        guard let key else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.leave(key) }
        return stream
    }

    func notify(_ changes: [CatalogChange]) {
        guard !changes.isEmpty else { return }
        let subscribers = state.withLock { Array($0.subscribers.values) }
        for subscriber in subscribers { for change in changes { subscriber.yield(change) } }
    }

    /// Ends the watching and all that wait.
    func end() {
        let subscribers = state.withLock { state in
            state.isEnded = true
            state.watcher?.stop()
            state.watcher = nil
            defer { state.subscribers = [:] }
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.finish() }
    }

    private func leave(_ key: Int) {
        state.withLock { state in
            state.subscribers[key] = nil
            guard state.subscribers.isEmpty else { return }
            state.watcher?.stop()
            state.watcher = nil
        }
    }

    private static func start(_ core: HostCore) -> DirectoryWatcher? {
        let watcher = DirectoryWatcher(
            core.registry.scan.directories,
            report: { [weak core] in core?.log(.warning, $0) },
            settled: { [weak core] in core?.rescan() })
        guard watcher.start() else {
            core.log(.error, "no thread could be started: the directories are not watched")
            return nil
        }
        return watcher
    }
}
