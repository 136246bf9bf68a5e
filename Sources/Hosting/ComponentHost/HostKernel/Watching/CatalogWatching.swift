public import ComponentCatalog
import ComponentKit

/// The changes in the directories of a host, as they happen; see ``LinkHost/watch()``.
///
/// The sequence ends when the host stops. Releasing it, or cancelling the task that waits for the next change, stops
/// the watching. If more than a few thousand changes have not been consumed, the oldest are dropped.
public struct CatalogChanges: AsyncSequence, Sendable {
    /// The sequence yields one change at a time.
    public typealias Element = CatalogChange
    /// The sequence never throws.
    public typealias Failure = Never

    let stream: AsyncStream<CatalogChange>

    /// An iterator that waits for changes. Each change is delivered to one iterator only.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<CatalogChange>.Iterator

        /// Returns the next change; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> CatalogChange? {
            await base.next(isolation: actor)
        }
    }

    /// Returns an iterator over the buffered changes and all later ones.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }
}

/// The subscribers to changes in the directories, and the watcher that serves them all.
final class CatalogWatching: Sendable {
    private struct State {
        var next = 0
        var subscribers: [Int: AsyncStream<CatalogChange>.Continuation] = [:]
        var watcher: DirectoryWatcher?
        var isEnded = false
    }

    /// The largest number of unconsumed changes that are kept for a subscriber.
    private static let kept = 4096

    private let state = Lock(State())

    /// Returns a stream of all later changes, which is already finished if the host has stopped.
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

    /// Stops watching and finishes all streams.
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
            core.registry.scan.directories, formats: core.registry.scan.formats,
            files: core.features.flatMap(\.watchedFiles),
            followed: { [weak core] in core?.registry.contents.withLock { $0.catalog.followed } ?? FollowedFiles() },
            report: { [weak core] in core?.log(.warning, $0) },
            settled: { [weak core] in
                guard let core else { return }
                core.rescan(isAutomatic: true)
                for feature in core.features { feature.settled(in: core) }
            })
        guard watcher.start() else {
            core.log(.error, "the directories are not watched: no thread or event descriptor could be created")
            return nil
        }
        return watcher
    }
}
