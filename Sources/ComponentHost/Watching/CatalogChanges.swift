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
