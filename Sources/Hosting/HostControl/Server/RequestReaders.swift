import ComponentHost
import ComponentKit
import NIOCore

/// Decodes requests that would take too long on an event loop. Uses threads of its own, because clients can keep any
/// number of threads busy, and the application and the host's stop need Swift's cooperative thread pool.
final class RequestReaders: Sendable {
    private let pool = WorkerPool(name: "hslink-reader", threadLimit: threadCount)
    /// A share for long requests that leaves one thread for shorter ones.
    private let long = PoolShare(threadLimit: threadCount - 1)

    private static let threadCount = max(2, System.coreCount / 2)
    /// Requests of at least this many bytes are long: decoding one may take from tens of milliseconds to seconds.
    private static let longRequest = 64 << 10

    deinit { pool.end() }

    /// Decodes a request on another thread and calls `take` with it there.
    func read(
        _ content: ByteBuffer, _ take: @escaping @Sendable (Result<ControlRequest, RequestError>) -> Void
    ) {
        let job: WorkerPool.Job = { take(RequestReaders.request(in: content)) }
        if content.readableBytes < RequestReaders.longRequest { pool.submit(job) } else { long.submit(job, to: pool) }
    }

    /// Decodes a request on this thread.
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
