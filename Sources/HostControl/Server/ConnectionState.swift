import ComponentKit
import NIOCore

/// What a connection has under way, and what waits to be written. Guarded by the lock of its ``ControlConnection``.
struct ConnectionState {
    /// A request that is not answered yet.
    struct Request {
        let size: Int
        let isCall: Bool
        /// Nil as long as the call is being started.
        var begun: CallIdentifier?
        var isCancelled = false
    }

    /// What is to be done when an answer has been put with those that wait.
    enum Next {
        case nothing, drain, close
    }

    /// Nil before the event loop has come to it, and when it is closed.
    var channel: (any Channel)?
    var requests: [Int64: Request] = [:]
    var requestBytes = 0
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
}
