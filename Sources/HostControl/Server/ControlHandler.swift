import NIOCore

/// Takes the requests of one client from its channel, on the channel's event loop.
///
/// Nothing blocks the loop: calls that may block run on threads of the host, and what takes long to read is read
/// elsewhere, while what follows it waits.
final class ControlHandler: ChannelDuplexHandler {
    typealias InboundIn = Frame
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: ControlConnection
    /// Why the client is not served at all.
    private let refusal: ControlError?
    /// A large request is being read on another thread.
    private var isReadingElsewhere = false
    /// What has come meanwhile.
    private var waiting = CircularBuffer<Frame>()
    /// The channel wants to read on, and may not yet.
    private var wantsRead = false
    /// Nothing that follows is looked at.
    private var isOver = false

    /// Bytes of a request that is read on another thread. Most have some hundred; each byte may be an item of its own, which
    /// takes up to a microsecond, and what others have asked of the event loop waits.
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

    /// Also of a channel that was closed before it was ever active.
    func handlerRemoved(context: ChannelHandlerContext) {
        isOver = true
        connection.channelClosed()
    }

    /// The other side went away in the middle; there is nobody to tell.
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

    /// A large request has been read.
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

    /// How long a client that was told why may take to close the connection.
    private static let patienceAfterEnd = TimeAmount.seconds(1)

    /// Says why, and ends the connection. The client closes it: one that is just writing a request would see that fail
    /// where the socket was closed, and never read why.
    private func end(_ context: ChannelHandlerContext, _ answer: ControlAnswer) {
        isOver = true
        connection.send(answer)
        connection.drain()
        // Behind the answers in the channel's own order.
        let channel = context.channel
        channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(mode: .output, promise: nil) }
        channel.eventLoop.scheduleTask(in: ControlHandler.patienceAfterEnd) { channel.close(promise: nil) }
    }
}
