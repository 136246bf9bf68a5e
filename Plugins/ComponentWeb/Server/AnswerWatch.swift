import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes a connection, or with HTTP/2 the stream of a request, whose client does not take its answers.
///
/// The code that writes waits for room in each of its steps, and so it does for a client that asks for thousands of
/// small answers and reads none. Whoever never reads would keep a place for as long as they like.
final class AnswerWatch: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How many pieces have not been taken.
    private var waiting = 0
    /// When the last piece was taken, or the first of those that wait was written.
    private var takenAt = NIODeadline.now()
    private var timer: Scheduled<Void>?

    /// The most bytes that must be taken in time. Who reads slowly has the time for each piece of a long answer.
    private static let longest = 128 * 1024

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch Self.unwrapOutboundIn(data) {
        case .head: context.write(data, promise: promise)
        case .body(var rest):
            while rest.readableBytes > AnswerWatch.longest, let piece = rest.readSlice(length: AnswerWatch.longest) {
                follow(.body(piece), on: context, promise: nil)
            }
            follow(.body(rest), on: context, promise: promise)
        case .end(let trailers): follow(.end(trailers), on: context, promise: promise)
        }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        // Nearly always, everything has been taken now.
        if waiting > 0, timer == nil { watch(context, in: TimeAmount(Patience.write)) }
    }

    private func follow(
        _ part: HTTPResponsePart, on context: ChannelHandlerContext, promise: EventLoopPromise<Void>?
    ) {
        if waiting == 0 { takenAt = .now() }
        waiting += 1
        let written = promise ?? context.eventLoop.makePromise()
        // Also when the connection ends.
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
            waiting -= 1
            takenAt = .now()
            guard waiting == 0 else { return }
            timer?.cancel()
            timer = nil
        }
        context.write(Self.wrapOutboundOut(part), promise: written)
    }

    private func watch(_ context: ChannelHandlerContext, in time: TimeAmount) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            let rest = takenAt + TimeAmount(Patience.write) - NIODeadline.now()
            if rest > .zero { watch(context, in: rest) } else { context.close(promise: nil) }
        }
    }
}
