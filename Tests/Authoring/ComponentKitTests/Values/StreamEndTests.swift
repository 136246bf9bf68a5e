import CHSLink
import TestSupport
import Testing

@testable import ComponentKit

@Suite("Streams whose owner ends")
struct StreamEndTests {
    /// Calls `next` like the other side of the boundary.
    private func next(
        _ source: StreamSource, _ backend: NoBackend = NoBackend()
    ) -> (pending: PendingReply, status: Int32) {
        let (pending, handle) = unsafe PendingReply.opened()
        var call = unsafe hslink_call(
            struct_size: UInt32(MemoryLayout<hslink_call>.size), flags: 0, reply: handle, deadline: 0,
            caller: hslink_string(), component: nil, carried: nil)
        return (pending, unsafe source.next(&call, backend))
    }

    private func code(_ pending: PendingReply) -> LinkError.Code? {
        guard case .failure(let error) = pending.takeReplied(on: .current) else { return nil }
        return error.code
    }

    @Test("a waiting next is answered")
    func waiting() {
        let streams = OpenStreams()
        let source = StreamSource(siblings: streams) { try await hang() }
        let (pending, status) = next(source)
        #expect(status == Int32(HSLINK_LATER))
        streams.endAll()
        #expect(code(pending) == .stopped)
    }

    @Test("a cancelled next whose sequence continues is answered too")
    func cancelled() {
        let streams = OpenStreams()
        let source = StreamSource(siblings: streams) { try await hang() }
        let (pending, _) = next(source)
        source.cancel()
        source.cancel()
        #expect(pending.isOpen)
        let (second, _) = next(source)
        // Null would say that the sequence has no more elements.
        #expect(code(second) == .methodFailed)
        streams.endAll()
        #expect(code(pending) == .stopped)
    }

    @Test("after a next that was cancelled, none says that there are no more elements")
    func lost() async {
        let (elements, continuation) = AsyncStream.makeStream(of: Payload.self)
        // It ends without an error when it is cancelled.
        let source = StreamSource(siblings: OpenStreams()) {
            for await element in elements { return element }
            return nil
        }
        let backend = NoBackend()
        let (pending, _) = next(source, backend)
        #expect(pending.end(with: LinkError(.cancelled)))
        #expect(code(pending) == .cancelled)
        #expect(await holds { backend.endedWork.withLock { $0 } == 1 })
        let (second, _) = next(source)
        #expect(code(second) == .methodFailed)
        source.cancel()
        continuation.finish()
    }

    @Test("a later next is refused without the sequence")
    func late() {
        let streams = OpenStreams()
        let isAsked = Lock(false)
        let source = StreamSource(siblings: streams) {
            isAsked.withLock { $0 = true }
            return "element"
        }
        streams.endAll()
        let (pending, status) = next(source)
        #expect(status == Int32(HSLINK_REPLIED))
        #expect(code(pending) == .stopped)
        #expect(!isAsked.withLock { $0 })
    }
}

/// Never returns, even when cancelled.
private func hang() async throws -> Payload? {
    unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    return nil
}
