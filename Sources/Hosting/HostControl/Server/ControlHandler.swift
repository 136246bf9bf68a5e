import NIOCore

/// Reads the requests of one client from its channel, on the channel's event loop.
///
/// Nothing blocks the loop: calls that may block run on threads of the host, and large requests are decoded on another
/// thread, while later frames of the same client wait. They also wait while the client does not read its answers.
final class ControlHandler: ChannelDuplexHandler {
    typealias InboundIn = Frame
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: ControlConnection
    /// Why the client is refused; nil if it is served.
    private let refusal: ControlError?
    /// A large request is being read on another thread.
    private var isReadingElsewhere = false
    /// Frames that were received while a large request is being decoded, or too many answers are unread.
    private var waiting = CircularBuffer<Frame>()
    /// A read was requested, and is postponed until frames need not wait.
    private var wantsRead = false
    /// The connection is ending; later frames are ignored.
    private var isOver = false
    /// Some of a frame has arrived, and not all of it.
    private var isWithinFrame = false

    /// Requests of at least this many bytes are decoded on another thread, and their methods run on another one, also if
    /// they are quick. Most requests have a few hundred bytes, but in the worst case each byte is an item and takes up to a
    /// microsecond, while other clients on the event loop wait.
    static let largeRequest = 8 << 10

    init(_ connection: ControlConnection, refusing refusal: ControlError?) {
        self.connection = connection
        self.refusal = refusal
    }

    /// Adds the handlers of a connection to its channel, on the channel's event loop.
    func add(to pipeline: ChannelPipeline.SynchronousOperations, _ limits: ControlLimits) throws {
        let decoder = FrameDecoder(limit: limits.frameBytes) { [self] bytes in
            isWithinFrame = true
            return connection.mayHold(unfinished: bytes)
        }
        try pipeline.addHandlers(
            IdleStateHandler(readTimeout: TimeAmount(limits.patienceWithinFrame)), ByteToMessageHandler(decoder), self)
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
        if mustWait { wantsRead = true } else { context.read() }
    }

    /// Whether further frames must wait. At the end they are read and ignored, because a client that is blocked in a
    /// write would not read the reason.
    private var mustWait: Bool { !isOver && (isReadingElsewhere || connection.mustPause()) }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { connection.drain() }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event as? ControlConnection.Signal {
        case .resume: goOn(context)
        case .end:
            isOver = true
            finish(context)
        case nil:
            if case .read? = event as? IdleStateHandler.IdleStateEvent { return nothingRead(context) }
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Ends the connection if the rest of a frame is missing, and it is the client that is waited for.
    private func nothingRead(_ context: ChannelHandlerContext) {
        guard isWithinFrame, !isOver, !mustWait, !wantsRead else { return }
        let reason = "the rest of a request did not arrive within \(connection.limits.patienceWithinFrame)"
        end(context, ControlAnswer(id: nil, .refusal(ControlError(.malformed, reason))))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isWithinFrame = false
        connection.beginBurst()
        let frame = unwrapInboundIn(data)
        if mustWait || !waiting.isEmpty { waiting.append(frame) } else { take(frame, context) }
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
            take(RequestReaders.request(in: content), size: content.readableBytes, in: context)
        case .content(let content):
            guard connection.beginReading(content.readableBytes) else {
                return end(context, ControlAnswer(id: nil, .refusal(ControlError(.tooMuch, HeldBytes.tooMuch))))
            }
            isReadingElsewhere = true
            let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
            let place = NIOLoopBound(context, eventLoop: context.eventLoop)
            let loop = context.eventLoop
            connection.readers.read(content) { request in
                loop.execute { handler.value.goOn(place.value, with: request, content.readableBytes) }
            }
        }
    }

    /// Continues after a large request has been decoded.
    private func goOn(
        _ context: ChannelHandlerContext, with request: Result<ControlRequest, RequestError>, _ size: Int
    ) {
        isReadingElsewhere = false
        connection.endReading()
        connection.beginBurst()
        if !isOver { take(request, size: size, in: context) }
        goOn(context)
    }

    /// Takes the frames that wait, as far as they need not wait any longer, and then reads on.
    private func goOn(_ context: ChannelHandlerContext) {
        connection.beginBurst()
        while !mustWait, let frame = waiting.popFirst() { take(frame, context) }
        connection.drain()
        if wantsRead, !mustWait {
            wantsRead = false
            context.read()
        }
    }

    private func take(
        _ request: Result<ControlRequest, RequestError>, size: Int, in context: ChannelHandlerContext
    ) {
        do throws(RequestError) {
            try connection.take(try request.get(), size: size)
        } catch {
            let answer = ControlAnswer(id: error.id, .refusal(error.error))
            if error.id == nil { end(context, answer) } else { connection.send(answer) }
        }
    }

    /// Sends the reason, then shuts down the output and lets the client close. If the server closed the socket, a
    /// client in the middle of a write would get an error and might never read the reason.
    private func end(_ context: ChannelHandlerContext, _ answer: ControlAnswer) {
        isOver = true
        connection.send(answer)
        finish(context)
    }

    private func finish(_ context: ChannelHandlerContext) {
        connection.drain(isLast: true)
        // Queued after the answers; the channel preserves the order.
        let channel = context.channel
        channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(mode: .output, promise: nil) }
        let patience = TimeAmount(connection.limits.patienceAfterEnd)
        channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        if wantsRead {
            wantsRead = false
            context.read()
        }
    }
}
