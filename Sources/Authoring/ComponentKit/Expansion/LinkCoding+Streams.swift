extension __LinkCoding {
    /// Returns a reference to a sequence, from which the other side pulls one element at a time. No element is made
    /// before it is requested. The iteration ends when the other side releases the stream, its task is cancelled, or
    /// the owner is stopped.
    ///
    /// - Throws: `LinkError` with code ``LinkError/Code/methodFailed`` if the source has no link.
    public static func payload<Sequence: AsyncSequence & Sendable>(
        of sequence: Sequence, for source: borrowing some __LinkSource & ~Copyable
    ) throws(LinkError) -> Payload where Sequence.Element: PayloadConvertible & Sendable {
        try source.requireLink(for: "a stream").stream(sequence)
    }

    /// Returns the stream for `key`. It throws the error that the other side threw if that is a model known to this
    /// image; otherwise a ``LinkError``, such as ``LinkError/Code/stopped``. Only one task at a time may read it.
    ///
    /// - Throws: `PayloadError` if the key is missing or its value is not an object.
    public static func value<Element: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable,
        as type: AsyncThrowingStream<Element, any Error>.Type = AsyncThrowingStream<Element, any Error>.self
    ) throws(PayloadError) -> AsyncThrowingStream<Element, any Error> {
        try reading.require(key, "stream") { view throws(PayloadError) in try StreamReader(view).stream }
    }

    /// Returns the stream for `key`; nil if the key is missing.
    public static func valueIfPresent<Element: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable,
        as type: AsyncThrowingStream<Element, any Error>.Type = AsyncThrowingStream<Element, any Error>.self
    ) throws(PayloadError) -> AsyncThrowingStream<Element, any Error>? {
        try reading.ifPresent(key) { view throws(PayloadError) in try StreamReader(view).stream }
    }

    /// Returns the stream that is the whole payload.
    public static func value<Element: PayloadConvertible & Sendable>(
        of payload: borrowing some PayloadReading & ~Copyable,
        as type: AsyncThrowingStream<Element, any Error>.Type = AsyncThrowingStream<Element, any Error>.self
    ) throws(PayloadError) -> AsyncThrowingStream<Element, any Error> {
        try payload.borrow { view throws(PayloadError) in try StreamReader(view).stream }
    }
}

// The same functions, for methods that declare only the element type of a sequence.
extension __LinkCoding {
    /// Returns the stream for `key` as any sequence.
    public static func value<Element: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable,
        as type: (any AsyncSequence<Element, any Error>).Type
    ) throws(PayloadError) -> any AsyncSequence<Element, any Error> {
        try value(key, in: reading, as: AsyncThrowingStream<Element, any Error>.self)
    }

    /// Returns the stream for `key` as any sendable sequence.
    public static func value<Element: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable,
        as type: (any AsyncSequence<Element, any Error> & Sendable).Type
    ) throws(PayloadError) -> any AsyncSequence<Element, any Error> & Sendable {
        try value(key, in: reading, as: AsyncThrowingStream<Element, any Error>.self)
    }

    /// Returns the stream for `key` as any sequence; nil if the key is missing.
    public static func valueIfPresent<Element: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable,
        as type: (any AsyncSequence<Element, any Error>).Type
    ) throws(PayloadError) -> (any AsyncSequence<Element, any Error>)? {
        try valueIfPresent(key, in: reading, as: AsyncThrowingStream<Element, any Error>.self)
    }

    /// Returns the stream for `key` as any sendable sequence; nil if the key is missing.
    public static func valueIfPresent<Element: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable,
        as type: (any AsyncSequence<Element, any Error> & Sendable).Type
    ) throws(PayloadError) -> (any AsyncSequence<Element, any Error> & Sendable)? {
        try valueIfPresent(key, in: reading, as: AsyncThrowingStream<Element, any Error>.self)
    }

    /// Returns the stream that is the whole payload, as any sequence.
    public static func value<Element: PayloadConvertible & Sendable>(
        of payload: borrowing some PayloadReading & ~Copyable, as type: (any AsyncSequence<Element, any Error>).Type
    ) throws(PayloadError) -> any AsyncSequence<Element, any Error> {
        try value(of: payload, as: AsyncThrowingStream<Element, any Error>.self)
    }

    /// Returns the stream that is the whole payload, as any sendable sequence.
    public static func value<Element: PayloadConvertible & Sendable>(
        of payload: borrowing some PayloadReading & ~Copyable,
        as type: (any AsyncSequence<Element, any Error> & Sendable).Type
    ) throws(PayloadError) -> any AsyncSequence<Element, any Error> & Sendable {
        try value(of: payload, as: AsyncThrowingStream<Element, any Error>.self)
    }
}

extension Link {
    /// Returns a sequence as a payload value: an object with the selectors `next` and `cancel`.
    func stream<Sequence: AsyncSequence & Sendable>(
        _ sequence: Sequence
    ) -> Payload where Sequence.Element: PayloadConvertible & Sendable {
        let iterator = StreamIterator(sequence.makeAsyncIterator())
        let source = StreamSource(siblings: backend.sharedObjects.streams) { try await iterator.next() }
        return unsafe object(source, type: StreamSource.type)
    }
}

/// Keeps an iterator between elements, since a separate task reads each element.
// Unchecked: StreamSource requests one element at a time.
private final class StreamIterator<Base: AsyncIteratorProtocol>: @unchecked Sendable
where Base.Element: PayloadConvertible {
    private var base: Base

    init(_ base: Base) { self.base = base }

    func next() async throws -> Payload? { try await base.next(isolation: nil)?.payload }
}

/// Pulls the elements of the other side's stream.
private final class StreamReader<Element: PayloadConvertible & Sendable>: Sendable {
    /// Nil once the stream has ended, so that the other side can free its part.
    private let object: Lock<LinkObject?>

    /// - Throws: `PayloadError` if the payload is not an object.
    init(_ view: borrowing PayloadView) throws(PayloadError) {
        guard view.kind == .object else {
            throw unsafe PayloadError(expected: "stream", found: view.unsafeNode.kindSummary)
        }
        object = Lock(try LinkObject(payload: view))
    }

    /// Returns the next element; nil at the end of the stream, or if the task is cancelled.
    func next() async throws -> Element? {
        guard let object = object.withLock({ $0 }) else { return nil }
        let reply: Payload
        do {
            reply = try await object.call("next")
        } catch {
            end()
            if error.code == .cancelled, Task.isCancelled { return nil }
            throw error.originalOrSelf
        }
        guard !reply.isNull else {
            end()
            return nil
        }
        do {
            // The annotation keeps a null element from being taken for the end of the stream.
            let element: Element = try reply.value("value")
            return element
        } catch {
            end()
            throw LinkError(
                .payloadMismatch, message: "an element of the stream is invalid: \(error)", className: object.className)
        }
    }

    private func end() {
        withExtendedLifetime(object.withLock { $0.take() }) {}
    }

    var stream: AsyncThrowingStream<Element, any Error> {
        AsyncThrowingStream { try await self.next() }
    }
}
