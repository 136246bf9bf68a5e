import ComponentKit
import Glibc
import NIOCore

/// What a connection has under way, and what waits to be written. Guarded by the lock of its ``ControlConnection``.
struct ConnectionState {
    /// A request that is not answered yet.
    struct Request {
        let size: Int
        /// Nil for a question about the host.
        let call: CallName?
        /// Nil as long as the call is being started.
        var begun: CallIdentifier?
        var isCancelled = false
    }

    /// Whose method it is that a call goes to.
    struct CallName {
        let className: String
        let selector: String
    }

    /// What is to be done when an answer has been put with those that wait.
    enum Next {
        case nothing, drain, close
    }

    /// Nil before the event loop has come to it, and when it is closed.
    var channel: (any Channel)?
    var requests: [Int64: Request] = [:]
    /// Of answers that the other side's socket has not taken.
    var unreadBytes = 0
    /// Answers that are not written yet.
    var outbox: [ByteBuffer] = []
    /// Somebody will write what is in the outbox.
    var willDrain = false
    /// The channel is to be closed.
    var isClosing = false
    /// The channel is closed: no more calls are begun, and nobody reads answers.
    var isOver = false

    /// Answers below this are written in one piece with others.
    private static let largeAnswer = 64 << 10

    /// - Parameter limit: how many bytes may wait for the other side's socket.
    mutating func enqueue(_ frame: ByteBuffer, _ limit: Int) -> Next {
        guard !isOver else { return .nothing }
        unreadBytes += frame.readableBytes
        guard unreadBytes <= limit else { return .close }
        if let last = outbox.indices.last, frame.readableBytes < ConnectionState.largeAnswer,
            outbox[last].readableBytes < ConnectionState.largeAnswer
        {
            outbox[last].writeImmutableBuffer(frame)
        } else {
            outbox.append(frame)
        }
        defer { willDrain = true }
        return willDrain ? .nothing : .drain
    }

    // MARK: - Bytes of requests

    /// Of those that are under way.
    private(set) var requestBytes = 0
    /// Of a frame that has not come to its end.
    private var unfinishedBytes = 0
    /// Of a request that is being read on another thread.
    private var readBytes = 0
    /// Of all these, those that are counted among those of all connections.
    private var countedBytes = 0

    /// Counts a request that is under way, unless that is too much.
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

    /// Counts what has come of a frame, and what is being read of one that has come to its end; nil for as before. Neither
    /// is kept where that is too much.
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

    // MARK: - Methods that keep the event loop

    /// The request whose call was begun last.
    private var latest: Int64?
    /// Counts the calls that were begun.
    private var callCount: UInt64 = 0
    /// The call that the last looks have found being started, and how many looks.
    private var seen: (call: UInt64, looks: Int) = (0, 0)

    /// A call is being started from now on, until it is marked as begun or removed.
    mutating func begin(_ id: Int64) {
        latest = id
        callCount &+= 1
    }

    /// The call that is being started: as long as the lock is held, the event loop cannot go on.
    var startedCall: CallName? {
        guard let latest, let request = requests[latest], request.begun == nil else { return nil }
        return request.call
    }

    /// How many looks have found the same call being started before this one.
    mutating func look() -> Int {
        guard startedCall != nil else { return 0 }
        seen = seen.call == callCount ? (callCount, seen.looks + 1) : (callCount, 0)
        return seen.looks
    }

    /// Ends the connection past its event loop.
    ///
    /// - Parameters:
    ///   - words: a frame that says why.
    ///   - descriptor: of the socket, which the event loop cannot close meanwhile.
    func cut(_ words: ByteBuffer, _ descriptor: Int32) {
        guard !isOver, channel?.isActive != false else { return }
        // In the middle of an answer nothing else can be said.
        if unreadBytes == 0 {
            unsafe words.withUnsafeReadableBytes { bytes in
                _ = unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
        }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
