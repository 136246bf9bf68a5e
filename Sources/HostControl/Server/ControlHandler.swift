import NIOCore

/// Reads the requests of one client from its channel, on the channel's event loop.
///
/// Nothing blocks the loop: calls that may block run on threads of the host, and large requests are decoded on another
/// thread, while later frames of the same client wait.
final class ControlHandler: ChannelDuplexHandler {
    typealias InboundIn = Frame
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: ControlConnection
    /// Why the client is refused; nil if it is served.
    private let refusal: ControlError?
    /// A large request is being read on another thread.
    private var isReadingElsewhere = false
    /// Frames that were received while a large request is being decoded.
    private var waiting = CircularBuffer<Frame>()
    /// A read was requested, and is postponed until the large request is decoded.
    private var wantsRead = false
    /// The connection is ending; later frames are ignored.
    private var isOver = false

    /// Requests of at least this many bytes are decoded on another thread. Most have a few hundred bytes, but in the
    /// worst case each byte is an item and takes up to a microsecond, while other clients on the event loop wait.
    private static let largeRequest = 8 << 10

    init(_ connection: ControlConnection, refusing refusal: ControlError?) {
        self.connection = connection
        self.refusal = refusal
    }

    func channelActive(context: ChannelHandlerContext) {
        if let refusal { end(context, ControlAnswer(id: nil, .refusal(refusal))) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isOver = true
        connection.channelClosed()
        context.fireChannelInactive()
    }

    /// Also called for a channel that closes before it becomes active.
    func handlerRemoved(context: ChannelHandlerContext) {
        isOver = true
        connection.channelClosed()
    }

    /// The client disconnected unexpectedly, so the error cannot be sent to it.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func read(context: ChannelHandlerContext) {
        if isReadingElsewhere { wantsRead = true } else { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.beginBurst()
        let frame = unwrapInboundIn(data)
        if isReadingElsewhere { waiting.append(frame) } else { take(frame, context) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        connection.drain()
        context.fireChannelReadComplete()
    }

    private func take(_ frame: Frame, _ context: ChannelHandlerContext) {
        guard !isOver else { return }
        switch frame {
        case .end(let error): end(context, ControlAnswer(id: nil, .refusal(error)))
        case .content(let content) where content.readableBytes < ControlHandler.largeRequest:
            take(RequestReaders.request(in: content), content.readableBytes, context)
        case .content(let content):
            guard connection.beginReading(content.readableBytes) else {
                return end(context, ControlAnswer(id: nil, .refusal(ControlError(.tooMuch, HeldBytes.tooMuch))))
            }
            isReadingElsewhere = true
            let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
            let place = NIOLoopBound(context, eventLoop: context.eventLoop)
            let loop = context.eventLoop
            connection.readers.read(content) { request in
                loop.execute { handler.value.goOn(request, content.readableBytes, place.value) }
            }
        }
    }

    /// Continues after a large request has been decoded.
    private func goOn(_ request: Result<ControlRequest, RequestError>, _ size: Int, _ context: ChannelHandlerContext) {
        isReadingElsewhere = false
        connection.endReading()
        connection.beginBurst()
        if !isOver { take(request, size, context) }
        while !isReadingElsewhere, let frame = waiting.popFirst() { take(frame, context) }
        connection.drain()
        if wantsRead, !isReadingElsewhere {
            wantsRead = false
            context.read()
        }
    }

    private func take(
        _ request: Result<ControlRequest, RequestError>, _ size: Int, _ context: ChannelHandlerContext
    ) {
        do throws(RequestError) {
            try connection.take(try request.get(), size: size)
        } catch {
            let answer = ControlAnswer(id: error.id, .refusal(error.error))
            if error.id == nil { end(context, answer) } else { connection.send(answer) }
        }
    }

    /// How long a client may take to close the connection after the reason was sent.
    private static let patienceAfterEnd = TimeAmount.seconds(1)

    /// Sends the reason, then shuts down the output and lets the client close. If the server closed the socket, a
    /// client in the middle of a write would get an error and might never read the reason.
    private func end(_ context: ChannelHandlerContext, _ answer: ControlAnswer) {
        isOver = true
        connection.send(answer)
        connection.drain()
        // Queued after the answers; the channel preserves the order.
        let channel = context.channel
        channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(mode: .output, promise: nil) }
        channel.eventLoop.scheduleTask(in: ControlHandler.patienceAfterEnd) { channel.close(promise: nil) }
    }
}
