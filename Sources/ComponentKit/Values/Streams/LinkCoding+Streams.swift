extension LinkCoding {
    /// A reference to a sequence, from which the other side pulls one element after the other: none is made
    /// before it is asked for. The iteration begins with the first element, and ends when the other side lets go of
    /// the stream, its task is cancelled, or the owner is stopped.
    ///
    /// - Throws: when the source has no link.
    public static func payload<Sequence: AsyncSequence & Sendable>(
        of sequence: Sequence, for source: borrowing some LinkSource & ~Copyable
    ) throws(LinkError) -> Payload where Sequence.Element: PayloadConvertible & Sendable {
        try source.requireLink(for: "a stream").stream(sequence)
    }

    /// The stream of `key`. It throws what the other side throws: the very error where it is a model known
    /// here, else a ``LinkError``, among others ``LinkError/Code/stopped``. One task at a time reads it.
    ///
    /// - Throws: when the key is missing or holds no object.
    public static func value<Element: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable,
        as type: AsyncThrowingStream<Element, any Error>.Type = AsyncThrowingStream<Element, any Error>.self
    ) throws(PayloadError) -> AsyncThrowingStream<Element, any Error> {
        try reading.require(key, "stream") { view throws(PayloadError) in try StreamReader(view).stream }
    }

    /// The stream of `key`, nil when the key is missing.
    public static func valueIfPresent<Element: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable,
        as type: AsyncThrowingStream<Element, any Error>.Type = AsyncThrowingStream<Element, any Error>.self
    ) throws(PayloadError) -> AsyncThrowingStream<Element, any Error>? {
        try reading.ifPresent(key) { view throws(PayloadError) in try StreamReader(view).stream }
    }

    /// The stream of a whole payload.
    public static func value<Element: PayloadConvertible & Sendable>(
        of payload: borrowing some PayloadReading & ~Copyable,
        as type: AsyncThrowingStream<Element, any Error>.Type = AsyncThrowingStream<Element, any Error>.self
    ) throws(PayloadError) -> AsyncThrowingStream<Element, any Error> {
        try payload.borrow { view throws(PayloadError) in try StreamReader(view).stream }
    }
}

// The same for methods that say only what a sequence has for elements.
extension LinkCoding {
    /// The stream of `key`, as any sequence.
    public static func value<Element: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable,
        as type: (any AsyncSequence<Element, any Error>).Type
    ) throws(PayloadError) -> any AsyncSequence<Element, any Error> {
        try value(key, in: reading, as: AsyncThrowingStream<Element, any Error>.self)
    }

    /// The stream of `key`, as any sequence that may be sent.
    public static func value<Element: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable,
        as type: (any AsyncSequence<Element, any Error> & Sendable).Type
    ) throws(PayloadError) -> any AsyncSequence<Element, any Error> & Sendable {
        try value(key, in: reading, as: AsyncThrowingStream<Element, any Error>.self)
    }

    /// The stream of `key`, as any sequence, nil when the key is missing.
    public static func valueIfPresent<Element: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable,
        as type: (any AsyncSequence<Element, any Error>).Type
    ) throws(PayloadError) -> (any AsyncSequence<Element, any Error>)? {
        try valueIfPresent(key, in: reading, as: AsyncThrowingStream<Element, any Error>.self)
    }

    /// The stream of `key`, as any sequence that may be sent, nil when the key is missing.
    public static func valueIfPresent<Element: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable,
        as type: (any AsyncSequence<Element, any Error> & Sendable).Type
    ) throws(PayloadError) -> (any AsyncSequence<Element, any Error> & Sendable)? {
        try valueIfPresent(key, in: reading, as: AsyncThrowingStream<Element, any Error>.self)
    }

    /// The stream of a whole payload, as any sequence.
    public static func value<Element: PayloadConvertible & Sendable>(
        of payload: borrowing some PayloadReading & ~Copyable, as type: (any AsyncSequence<Element, any Error>).Type
    ) throws(PayloadError) -> any AsyncSequence<Element, any Error> {
        try value(of: payload, as: AsyncThrowingStream<Element, any Error>.self)
    }

    /// The stream of a whole payload, as any sequence that may be sent.
    public static func value<Element: PayloadConvertible & Sendable>(
        of payload: borrowing some PayloadReading & ~Copyable,
        as type: (any AsyncSequence<Element, any Error> & Sendable).Type
    ) throws(PayloadError) -> any AsyncSequence<Element, any Error> & Sendable {
        try value(of: payload, as: AsyncThrowingStream<Element, any Error>.self)
    }
}

extension Link {
    /// A sequence as a payload value: an object with the selectors `next` and `cancel`.
    func stream<Sequence: AsyncSequence & Sendable>(
        _ sequence: Sequence
    ) -> Payload where Sequence.Element: PayloadConvertible & Sendable {
        let iterator = StreamIterator(sequence.makeAsyncIterator())
        let source = StreamSource(siblings: backend.sharedObjects.streams) { try await iterator.next() }
        return unsafe object(source, type: StreamSource.type)
    }
}

/// Keeps an iterator between two elements, each of which is read by a task of its own.
// Unchecked: StreamSource asks for one element after the other.
private final class StreamIterator<Base: AsyncIteratorProtocol>: @unchecked Sendable
where Base.Element: PayloadConvertible {
    private var base: Base

    init(_ base: Base) { self.base = base }

    func next() async throws -> Payload? { try await base.next(isolation: nil)?.payload }
}
