import NIOCore

/// The answers of a connection that have not been written to its socket. Guarded by the lock of its
/// ``ControlConnection``.
///
/// The channel gets only as much as the socket soon accepts. All else stays here, where it can be discarded if the client
/// does not read.
struct UnreadAnswers {
    /// What the caller has to do after an answer has been added.
    enum Next {
        case nothing, drain
        /// The connection has too many unread answers.
        case tooMuch
        /// All connections together have too many. End one of them, then add the frame again.
        case makeRoom(ByteBuffer)
    }

    /// A part of an answer, or several short answers.
    struct Piece {
        var bytes: ByteBuffer
        /// The number of bytes that its writing releases: those of whole answers, because the parts of one share memory.
        let size: Int
    }

    /// Answers that are written together.
    private struct Batch {
        var bytes: ByteBuffer
        var size: Int
        /// Whether a part has been handed to the channel.
        var isBegun = false
    }

    /// Consecutive answers below this size are merged into one buffer.
    private static let largeAnswer = 64 << 10
    /// The size of the parts of large answers: what the client must read to make progress.
    private static let pieceSize = 1 << 20
    /// How many bytes the channel buffers.
    static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 256 << 10, high: 1 << 20)

    /// Bytes of answers, including those that the channel has.
    private(set) var bytes = 0
    /// Whether a drain is already scheduled.
    var willDrain = false
    /// Whether no requests are read until answers are.
    private var isPaused = false
    /// Answers that have not been handed to the channel.
    private var outbox = CircularBuffer<Batch>()
    /// The number of bytes that are included in the total for all connections.
    private var counted = 0
    /// Bytes of answers for which there is no room yet.
    private var unadmitted = 0
    /// When the client last read something, or the first answer was added.
    private var progress = ContinuousClock.Instant.now
    /// Further answers are discarded.
    private var isEnded = false

    /// When the client last read something, if it has unread answers that count; nil if not.
    var stalledSince: ContinuousClock.Instant? { counted > 0 && !isEnded ? progress : nil }

    /// Adds an answer.
    ///
    /// - Parameters:
    ///   - total: the bytes of all connections.
    ///   - isRetry: whether the result of an earlier attempt was ``Next/makeRoom(_:)``.
    mutating func add(
        _ frame: ByteBuffer, under limits: ControlLimits, in total: HeldBytes, isRetry: Bool = false
    ) -> Next {
        guard !isEnded else { return .nothing }
        let size = frame.readableBytes
        if !isRetry {
            if bytes == 0 { progress = .now }
            guard bytes == 0 || bytes + size <= limits.unreadBytes else { return .tooMuch }
            // Counted here even if there is no room yet, so that the connection does not look idle.
            bytes += size
            unadmitted += size
        }
        guard total.count(bytes, &counted) else { return .makeRoom(frame) }
        unadmitted -= size
        append(frame)
        defer { willDrain = true }
        return willDrain ? .nothing : .drain
    }

    private mutating func append(_ frame: ByteBuffer) {
        let size = frame.readableBytes
        if let last = outbox.indices.last, !outbox[last].isBegun, size < UnreadAnswers.largeAnswer,
            outbox[last].size < UnreadAnswers.largeAnswer
        {
            outbox[last].bytes.writeImmutableBuffer(frame)
            outbox[last].size += size
        } else {
            outbox.append(Batch(bytes: frame, size: size))
        }
    }

    /// Takes the next piece.
    ///
    /// - Parameter always: whether the channel has room for it, or gets it anyway.
    mutating func next(always isAllowed: Bool) -> Piece? {
        guard isAllowed, let first = outbox.first else { return nil }
        guard first.bytes.readableBytes > UnreadAnswers.pieceSize,
            let part = outbox[outbox.startIndex].bytes.readSlice(length: UnreadAnswers.pieceSize)
        else {
            outbox.removeFirst()
            return Piece(bytes: first.bytes, size: first.size)
        }
        outbox[outbox.startIndex].isBegun = true
        return Piece(bytes: part, size: 0)
    }

    /// Returns whether no requests are to be read until ``hasWritten(_:inFlight:under:in:)`` says otherwise.
    ///
    /// - Parameter inFlight: what the answers to the requests in flight are expected to have, in bytes.
    mutating func mustPause(inFlight: Int, under limits: ControlLimits) -> Bool {
        if isTooMuch(inFlight, limits.unreadBytesBeforePause) { isPaused = true }
        return isPaused
    }

    /// Requests in flight count only if more is unread than a client that reads leaves for a moment. Such a client must be
    /// able to cancel its calls, and to make those that others wait for, however much is in flight.
    private func isTooMuch(_ inFlight: Int, _ limit: Int) -> Bool {
        bytes > limit / 16 && bytes + inFlight > limit
    }

    /// Records that a piece has been written.
    ///
    /// - Returns: Whether requests may be read again.
    mutating func hasWritten(
        _ size: Int, inFlight: Int, under limits: ControlLimits, in total: HeldBytes
    ) -> Bool {
        progress = .now
        guard bytes > 0 else { return false }
        bytes -= size
        count(in: total)
        // At the latest when nothing is unread, so every pause ends if the client reads.
        guard isPaused, !isEnded, !isTooMuch(inFlight, limits.unreadBytesBeforePause / 2) else { return false }
        isPaused = false
        return true
    }

    /// Discards the answers that the channel does not have yet, and all later ones.
    ///
    /// - Parameter words: a frame with the reason, which follows what the channel has. It is left out if that ends in the
    ///   middle of an answer.
    /// - Returns: The number of unread bytes; nil if the answers have been given up before.
    mutating func giveUp(_ words: ByteBuffer, _ total: HeldBytes) -> Int? {
        guard !isEnded else { return nil }
        isEnded = true
        let unread = bytes
        let isCut = outbox.first?.isBegun ?? false
        // What remains is in the channel.
        bytes -= unadmitted + outbox.reduce(0) { $0 + $1.size }
        unadmitted = 0
        outbox.removeAll()
        if !isCut {
            bytes += words.readableBytes
            append(words)
        }
        count(in: total)
        return unread
    }

    /// Discards everything, because the channel is closed.
    mutating func end(_ total: HeldBytes) {
        isEnded = true
        outbox.removeAll()
        (bytes, unadmitted) = (0, 0)
        count(in: total)
    }

    /// Updates the total after bytes have been released. What has no room yet is not included.
    private mutating func count(in total: HeldBytes) { _ = total.count(bytes - unadmitted, &counted) }
}
