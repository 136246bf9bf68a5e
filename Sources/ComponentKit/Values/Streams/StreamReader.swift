/// Pulls the elements out of a stream of the other side.
final class StreamReader<Element: PayloadConvertible & Sendable>: Sendable {
    /// Nil when the stream has ended, so that the other side may free its part.
    private let object: Lock<LinkObject?>

    /// - Throws: when the payload is no object.
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
