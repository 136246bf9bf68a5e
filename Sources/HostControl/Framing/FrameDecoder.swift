import NIOCore

/// What comes out of a stream of frames: four bytes of length, the highest first, and that many bytes.
enum Frame: Sendable {
    case content(ByteBuffer)
    /// Nothing that follows is taken.
    case end(ControlError)
}

/// Cuts a stream into frames. Memory is taken for what is there, not for what a length promises.
struct FrameDecoder: ByteToMessageDecoder {
    typealias InboundOut = Frame

    private static let lengthSize = 4
    private let limit: Int
    private let mayHold: (Int) -> Bool
    private var isOver = false

    /// - Parameters:
    ///   - limit: bytes of a frame.
    ///   - mayHold: whether so many bytes of a frame may be kept until the rest of it comes.
    init(limit: Int, mayHold: @escaping (Int) -> Bool = { _ in true }) {
        self.limit = limit
        self.mayHold = mayHold
    }

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard !isOver else {
            buffer.clear()
            return .needMoreData
        }
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else { return .needMoreData }
        guard length > 0 else { return end(context, .malformed, "a frame is empty; one CBOR item was expected") }
        guard length <= limit else {
            return end(context, .malformed, "a frame of \(length) bytes was announced; at most \(limit) are taken")
        }
        guard buffer.readableBytes >= FrameDecoder.lengthSize + Int(length) else {
            if mayHold(buffer.readableBytes) { return .needMoreData }
            buffer.clear()
            return end(context, .tooMuch, HeldBytes.tooMuch)
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
        _ context: ChannelHandlerContext, _ code: ControlError.Code, _ reason: String
    ) -> DecodingState {
        isOver = true
        context.fireChannelRead(wrapInboundOut(.end(ControlError(code, reason))))
        return .needMoreData
    }

    /// A frame with this content, which is within the limits of the other side.
    static func frame(_ content: [UInt8]) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(lengthSize + content.count)
        buffer.writeInteger(UInt32(content.count))
        buffer.writeBytes(content)
        return buffer
    }
}

/// A client's connection as frames.
typealias ControlChannel = NIOAsyncChannel<Frame, ByteBuffer>

extension ControlLimits {
    /// Makes a connection to one of frames. On the event loop of the channel.
    func makeChannel(_ channel: any Channel) -> EventLoopFuture<ControlChannel> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
                ByteToMessageHandler(FrameDecoder(limit: frameBytes)))
            return try ControlChannel(wrappingChannelSynchronously: channel)
        }
    }
}
