import ComponentHost
import ComponentKit
import NIOCore

/// Reads requests that take longer than an event loop may, on threads of its own: clients can keep as many busy as they like,
/// and the end of the host and the application need Swift's pool.
final class RequestReaders: Sendable {
    private let pool = WorkerPool(name: "hslink-reader", threadLimit: threadCount)
    /// Leaves a thread to those who do not take long.
    private let long = PoolShare(threadLimit: threadCount - 1)

    private static let threadCount = max(2, System.coreCount / 2)
    /// Bytes of a request that takes long: reading it may take tens of milliseconds, or up to seconds.
    private static let longRequest = 64 << 10

    deinit { pool.end() }

    /// Reads a request, and calls `take` with it on another thread.
    func read(
        _ content: ByteBuffer, _ take: @escaping @Sendable (Result<ControlRequest, RequestError>) -> Void
    ) {
        let job: WorkerPool.Job = { take(RequestReaders.request(in: content)) }
        if content.readableBytes < RequestReaders.longRequest { pool.submit(job) } else { long.submit(job, to: pool) }
    }

    /// Reads a request on this thread.
    static func request(in content: ByteBuffer) -> Result<ControlRequest, RequestError> {
        let payload: Payload
        do throws(PayloadError) {
            payload = try Payload(cbor: Array(content.readableBytesView), limits: .message)
        } catch {
            return .failure(
                RequestError(id: nil, ControlError(.malformed, "a frame is not one CBOR item: \(error)")))
        }
        return Result { () throws(RequestError) in try ControlRequest(payload) }
    }
}
