import NIOCore
import NIOHTTP1

/// Takes the coding from answers without a body, as those to HEAD are. What decompresses bodies would miss the end of a
/// compressed one there, and fail the request.
final class EncodingCheck: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    /// A head with a coding, until it is known whether a body follows.
    private var head: HTTPResponseHead?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if var head {
            self.head = nil
            if case .end = part { head.headers.remove(name: "content-encoding") }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        }
        if case .head(let next) = part, next.headers.contains(name: "content-encoding") {
            head = next
        } else {
            context.fireChannelRead(data)
        }
    }
}
