import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Follows the rules of HTTP/1.1 that need more than Hummingbird's types tell, on one connection (RFC 9112).
///
/// It stands where requests still have a version and a whole target: closes after HTTP/1.0, takes the host of a target in
/// absolute form, says in an answer that it is the last one, reads on for a moment then, so that the client gets the
/// answer, and answers what the parser refuses.
final class ProtocolHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request that has not been answered.
    private struct Waiting {
        /// Whether it is of HTTP/1.0, which has no chunks.
        let isOld: Bool
        /// Whether no other one follows.
        let isLast: Bool
    }

    private var waiting: [Waiting] = []
    /// Whether the last answer has begun.
    private var isClosing = false
    /// Whether it has ended.
    private var isOver = false
    /// Whether the parts that come belong to a request after the last answer.
    private var isIgnoring = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        guard case .head(var head) = Self.unwrapInboundIn(data) else {
            if !isIgnoring { context.fireChannelRead(data) }
            return
        }
        isIgnoring = isClosing
        guard !isIgnoring else { return }
        let isOld = head.version.minor == 0
        let isLast = isOld || !head.isKeepAlive || !ProtocolHandler.hasKnownEnd(head.headers)
        // Hummingbird compares the whole value.
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        if isOld { head.headers.remove(name: "Expect") }
        // The host of the target counts (section 3.2.2), but does not stand for a missing header or for several.
        if let host = ProtocolHandler.host(of: head.uri), head.headers["Host"].count == 1 {
            head.headers.replaceOrAdd(name: "Host", value: host)
        }
        waiting.append(Waiting(isOld: isOld, isLast: isLast))
        context.fireChannelRead(Self.wrapInboundOut(.head(head)))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if isOver { context.read() }
    }

    /// Whether the parser finds the end of the body, so that another request can follow.
    private static func hasKnownEnd(_ headers: HTTPHeaders) -> Bool {
        headers["Transfer-Encoding"].allSatisfy { $0.lowercased() == "chunked" }
    }

    /// Returns what stands for the host in a target in absolute form; nil if it has another form.
    private static func host(of target: String) -> String? {
        // As nearly all are.
        guard target.utf8.first != UInt8(ascii: "/") else { return nil }
        let scheme = ["http://", "https://"].first { scheme in
            String(decoding: target.utf8.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme
        }
        guard let scheme else { return nil }
        let rest = target.utf8.dropFirst(scheme.utf8.count)
        return String(decoding: rest.prefix { !"/?#".utf8.contains($0) }, as: UTF8.self)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // Hummingbird answers again if the rest of a request that has been refused is malformed.
        guard !isOver else {
            promise?.succeed()
            return
        }
        switch Self.unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            let request = waiting.first
            if request?.isLast == true { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            isClosing = head.headers["Connection"].contains("close")
            // The end of the connection is that of the body.
            if request?.isOld == true, !head.headers.contains(name: "Content-Length") { head.version = .http1_0 }
            // Hummingbird's own answers have none.
            if !head.headers.contains(name: "Date") { head.headers.add(name: "Date", value: ProtocolHandler.date) }
            context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            if !waiting.isEmpty { waiting.removeFirst() }
            guard isClosing else {
                context.write(data, promise: promise)
                return
            }
            end(context, with: data, promise: promise)
        default: context.write(data, promise: promise)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isClosing else { return }
        // Hummingbird answers what is wrong within or after a request that it has.
        guard waiting.isEmpty, let error = error as? HTTPParserError else {
            context.fireErrorCaught(error)
            return
        }
        isClosing = true
        let head = HTTPResponseHead(
            version: .http1_1, status: ProtocolHandler.status(of: error),
            headers: [
                "Date": ProtocolHandler.date, "Connection": "close", "Content-Length": "0", "Cache-Control": "no-store",
            ])
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        end(context, with: Self.wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// Writes the end of the last answer.
    private func end(_ context: ChannelHandlerContext, with data: NIOAny, promise: EventLoopPromise<Void>?) {
        isOver = true
        let channel = context.channel
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.whenComplete { _ in ProtocolHandler.linger(on: channel) }
        context.writeAndFlush(data, promise: written)
        // Hummingbird takes nothing more, and asks for nothing once it has some parts in stock.
        context.read()
    }

    private static func status(of error: HTTPParserError) -> HTTPResponseStatus {
        switch error {
        case .invalidMethod: .notImplemented
        case .invalidVersion: .httpVersionNotSupported
        // It may be the target, too: the parser does not say which.
        case .headerOverflow: .requestHeaderFieldsTooLarge
        default: .badRequest
        }
    }

    private static var date: String { HTTPDate.text(Int(Date.now.timeIntervalSince1970)) }

    /// Ends the connection: nothing is sent any more, and what comes is passed over for a moment. If it were closed at
    /// once, the client could lose the answer while it is still sending (section 9.6).
    private static func linger(on channel: any Channel) {
        channel.eventLoop.execute { channel.close(mode: .output, promise: nil) }
        channel.eventLoop.scheduleTask(in: TimeAmount(Patience.refused)) { channel.close(promise: nil) }
    }
}

/// Puts a ``ProtocolHandler`` into the pipeline of a connection, in front of the handler that makes Hummingbird's requests.
/// Hummingbird adds handlers behind that one only.
final class ProtocolInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        // HTTP/2 has no such handler, and other rules.
        guard let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
        do {
            try pipeline.addHandler(ProtocolHandler(), position: .before(codec))
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }
}
