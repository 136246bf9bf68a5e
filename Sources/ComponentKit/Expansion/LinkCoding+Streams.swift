extension __LinkCoding {
    /// A reference to a sequence, from which the other side pulls one element after the other: none is made
    /// before it is asked for. The iteration begins with the first element, and ends when the other side releases
    /// the stream, its task is cancelled, or the owner is stopped.
    ///
    /// - Throws: when the source has no link.
    public static func payload<Sequence: AsyncSequence & Sendable>(
        of sequence: Sequence, for source: borrowing some __LinkSource & ~Copyable
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
extension __LinkCoding {
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

/// Pulls the elements out of a stream of the other side.
private final class StreamReader<Element: PayloadConvertible & Sendable>: Sendable {
    /// Nil when the stream has ended, so that the other side may free its part.
    private let object: Lock<LinkObject?>

    /// - Throws: when the payload is not an object.
    init(_ view: borrowing PayloadView) throws(PayloadError) {
        guard view.kind == .object else {
            throw unsafe PayloadError(expected: "stream", found: view.unsafeNode.kindSummary)
        }
        object = Lock(try LinkObject(payload: view))
    }

    /// The next element; nil at the end, and when the task is cancelled.
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
            // By its type: a null element is no end.
            let element: Element = try reply.value("value")
            return element
        } catch {
            end()
            throw LinkError(.payloadMismatch, message: "the stream's element: \(error)", className: object.className)
        }
    }

    private func end() {
        let before = object.withLock { object in
            defer { object = nil }
            return object
        }
        withExtendedLifetime(before) {}
    }

    var stream: AsyncThrowingStream<Element, any Error> {
        AsyncThrowingStream { try await self.next() }
    }
}
