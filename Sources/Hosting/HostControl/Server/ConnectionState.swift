import ComponentKit
import Glibc
import NIOCore

/// The requests in flight and the unwritten answers of a connection. Guarded by the lock of its ``ControlConnection``.
struct ConnectionState {
    /// A request that has not been answered yet.
    struct Request {
        let size: Int
        /// The method that is called; nil for a query about the host.
        let call: CallName?
        /// Nil while the call is being started.
        var begun: CallIdentifier?
        var isCancelled = false
    }

    /// The class and the selector of a call.
    struct CallName {
        let className: String
        let selector: String
    }

    /// The channel; nil until the event loop has set it up, and after it is closed.
    var channel: (any Channel)?
    var requests: [Int64: Request] = [:]
    /// The answers that have not been written yet.
    var answers = UnreadAnswers()
    /// The channel has to be closed.
    var isClosing = false
    /// The channel is closed: no more calls are begun, and answers are discarded.
    var isOver = false

    // MARK: - Bytes of requests

    /// Bytes of requests in flight.
    private(set) var requestBytes = 0
    /// Bytes received of an incomplete frame.
    private var unfinishedBytes = 0
    /// Bytes of a request that another thread is decoding.
    private var readBytes = 0
    /// The number of these bytes that are included in the total for all connections.
    private var countedBytes = 0

    /// What the answers to the requests in flight are expected to have, in bytes: as much as the requests, and a little
    /// more for each, because many small requests may have longer answers.
    var expectedBytes: Int { requestBytes + requests.count * ConnectionState.expectedSurplus }
    private static let expectedSurplus = 4 << 10

    /// Counts a request in flight. Returns false, without counting it, if that would exceed the limit.
    mutating func add(_ size: Int, to held: HeldBytes) -> Bool {
        requestBytes += size
        if count(held) { return true }
        requestBytes -= size
        return false
    }

    mutating func remove(_ size: Int, from held: HeldBytes) {
        requestBytes -= size
        _ = count(held)
    }

    /// Updates the bytes of an incomplete frame and of the request that is being decoded; nil leaves a number
    /// unchanged. If that exceeds the limit, both are reset to 0 and the result is false.
    mutating func hold(unfinished: Int? = nil, read: Int? = nil, _ held: HeldBytes) -> Bool {
        unfinishedBytes = isOver ? 0 : unfinished ?? unfinishedBytes
        readBytes = read ?? readBytes
        if count(held) { return true }
        (unfinishedBytes, readBytes) = (0, 0)
        _ = count(held)
        return false
    }

    private mutating func count(_ held: HeldBytes) -> Bool {
        held.count(requestBytes + unfinishedBytes + readBytes, &countedBytes)
    }

    // MARK: - Detecting methods that block the event loop

    /// The request whose call was started last.
    private var latest: Int64?
    /// The number of calls started so far.
    private var callCount: UInt64 = 0
    /// The thread of the event loop.
    private(set) var thread: ThreadContext?
    /// The call that the last check found being started, and how many earlier checks found the same one.
    private var seen: (call: UInt64, looks: Int) = (0, 0)

    /// Records that a call is being started, until it is marked as begun or removed.
    mutating func begin(_ id: Int64) {
        latest = id
        callCount &+= 1
        thread = .current
    }

    /// The call that is being started; nil if there is none. While the lock is held, the event loop cannot continue.
    var startedCall: CallName? {
        guard let latest, let request = requests[latest], request.begun == nil else { return nil }
        return request.call
    }

    /// Returns how many earlier checks have found the same call being started.
    mutating func look() -> Int {
        guard startedCall != nil else { return 0 }
        seen = seen.call == callCount ? (callCount, seen.looks + 1) : (callCount, 0)
        return seen.looks
    }

    /// Ends the connection without its event loop.
    ///
    /// - Parameters:
    ///   - words: a frame that states the reason.
    ///   - descriptor: the descriptor of the socket, which the blocked event loop cannot close meanwhile.
    func cut(_ words: ByteBuffer, _ descriptor: Int32) {
        guard !isOver, channel?.isActive != false else { return }
        // After a partly written answer, the client could not parse another frame.
        if answers.bytes == 0 {
            unsafe words.withUnsafeReadableBytes { bytes in
                _ = unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
        }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
