import NIOCore
import NIOHTTP1

/// Ends a connection whose server sends a status below 100. AsyncHTTPClient takes it for the announcement of another
/// one, as it does those of 1xx, but NIO does not: the end of the answer would then end the process.
final class StatusCheck: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private var isOver = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        if case .head(let head) = unwrapInboundIn(data), head.status.code < 100 {
            isOver = true
            context.fireErrorCaught(HTTPParserError.invalidStatus)
            context.close(promise: nil)
        } else {
            context.fireChannelRead(data)
        }
    }
}
