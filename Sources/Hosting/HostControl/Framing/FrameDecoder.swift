import NIOCore

/// An element of a decoded stream. On the wire, a frame is a four-byte big-endian length followed by that many
/// bytes.
enum Frame: Sendable {
    case content(ByteBuffer)
    /// Decoding failed; everything after it is ignored.
    case end(ControlError)
}

/// Splits a stream into frames. Memory is allocated for received bytes only, never for an announced length.
struct FrameDecoder: ByteToMessageDecoder {
    typealias InboundOut = Frame

    private static let lengthSize = 4
    private let limit: Int
    private let mayHold: (Int) -> Bool
    private var isOver = false

    /// - Parameters:
    ///   - limit: the maximum size of a frame in bytes.
    ///   - mayHold: returns whether that many bytes of an incomplete frame may be buffered. Asked whenever some of a
    ///     frame has arrived and not all of it.
    init(limit: Int, mayHold: @escaping (Int) -> Bool = { _ in true }) {
        self.limit = limit
        self.mayHold = mayHold
    }

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard !isOver else {
            buffer.clear()
            return .needMoreData
        }
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else {
            // The length itself is incomplete; that little may always be kept.
            _ = mayHold(buffer.readableBytes)
            return .needMoreData
        }
        guard length > 0 else { return end(context, .malformed, reason: "expected a CBOR item, found an empty frame") }
        guard length <= limit else {
            return end(
                context, .malformed, reason: "expected a frame of at most \(limit) bytes, found a length of \(length)")
        }
        guard buffer.readableBytes >= FrameDecoder.lengthSize + Int(length) else {
            if mayHold(buffer.readableBytes) { return .needMoreData }
            buffer.clear()
            return end(context, .tooMuch, reason: HeldBytes.tooMuch)
        }
        buffer.moveReaderIndex(forwardBy: FrameDecoder.lengthSize)
        guard let content = buffer.readSlice(length: Int(length)) else { return .needMoreData }
        context.fireChannelRead(wrapInboundOut(.content(content)))
        return .continue
    }

    mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        if try decode(context: context, buffer: &buffer) == .continue { return .continue }
        buffer.clear()
        return .needMoreData
    }

    private mutating func end(
        _ context: ChannelHandlerContext, _ code: ControlError.Code, reason: String
    ) -> DecodingState {
        isOver = true
        context.fireChannelRead(wrapInboundOut(.end(ControlError(code, reason))))
        return .needMoreData
    }

    /// Makes a frame with this content, which must be within the peer's limits.
    static func frame(_ content: [UInt8]) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(lengthSize + content.count)
        buffer.writeInteger(UInt32(content.count))
        buffer.writeBytes(content)
        return buffer
    }
}

/// A client's connection as a channel of frames.
typealias ControlChannel = NIOAsyncChannel<Frame, ByteBuffer>

extension ControlLimits {
    /// Adds the frame decoder to a channel. Call it on the channel's event loop.
    func makeChannel(_ channel: any Channel) -> EventLoopFuture<ControlChannel> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
                ByteToMessageHandler(FrameDecoder(limit: frameBytes)))
            return try ControlChannel(wrappingChannelSynchronously: channel)
        }
    }
}
