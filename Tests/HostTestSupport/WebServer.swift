import ComponentKit
import NIOCore
import NIOHTTP1
import NIOPosix

/// A web server on the loopback device, whose answers a test decides.
public final class WebServer: Sendable {
    /// What the server does with a request.
    public indirect enum Answer: Sendable {
        /// Sends a document.
        case document(type: String, [UInt8], headers: [String: String] = [:])
        /// Sends only a status.
        case status(Int, headers: [String: String] = [:])
        /// Redirects; without a location, the header is missing.
        case redirect(to: String?, status: Int = 302)
        /// Does something else with each request; the last one stays.
        case inTurn([Answer])
        /// Sends this many bytes without announcing how many.
        case unannounced(Int)
        /// Sends nothing.
        case silence
        /// Sends an empty document after some milliseconds.
        case late(Int)
        /// Sends a head and then one byte now and then.
        case drip
        /// Announces more than it sends, and closes.
        case cutOff
    }

    /// A request, when it has arrived in whole.
    public struct Request: Sendable, Equatable {
        /// The method, as in "GET".
        public var method: String
        /// The path, with the query.
        public var path: String
        /// The headers, with names in lower case.
        public var headers: [String: String]
        /// The body.
        public var body: [UInt8]
    }

    /// The port.
    public let port: Int

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let channel: any Channel
    private let table: Table

    /// The answers, and what was asked.
    private final class Table: Sendable {
        let state: Lock<(answers: [String: Answer], requests: [Request])>

        init(_ answers: [String: Answer]) { state = Lock((answers, [])) }

        func answer(_ request: Request) -> Answer {
            state.withLock { state in
                state.requests.append(request)
                guard case .inTurn(let answers)? = state.answers[request.path], let first = answers.first else {
                    return state.answers[request.path] ?? .status(404)
                }
                if answers.count > 1 { state.answers[request.path] = .inTurn(Array(answers.dropFirst())) }
                return first
            }
        }
    }

    /// Starts a server.
    ///
    /// - Parameter answers: The answer for each path; others are answered with status 404.
    public init(_ answers: [String: Answer] = [:]) throws {
        let table = Table(answers)
        self.table = table
        channel = try WebServer.listen(group) { pipeline in
            try pipeline.configureHTTPServerPipeline()
            try pipeline.addHandler(Answering(table))
        }
        port = channel.localAddress?.port ?? 0
    }

    /// Starts a server that sends a text, which need not be HTTP, to everyone who sends anything.
    ///
    /// - Parameter endless: What the server sends after the text, again and again until the connection is closed.
    public init(raw text: String, endless: String = "") throws {
        table = Table([:])
        channel = try WebServer.listen(group) { try $0.addHandler(Saying(text, endless: endless)) }
        port = channel.localAddress?.port ?? 0
    }

    private static func listen(
        _ group: MultiThreadedEventLoopGroup,
        _ configure: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
    ) throws -> any Channel {
        try ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try configure(channel.pipeline.syncOperations) }
            }
            .bind(host: "127.0.0.1", port: 0).wait()
    }

    /// Returns the URL of a path.
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Changes an answer.
    public func answer(_ path: String, _ answer: Answer) { table.state.withLock { $0.answers[path] = answer } }

    /// The paths that were requested so far.
    public var requests: [String] { received.map(\.path) }

    /// What was requested so far.
    public var received: [Request] { table.state.withLock { $0.requests } }

    /// Closes the port and all connections.
    public func stop() { try? group.syncShutdownGracefully() }

    deinit { group.shutdownGracefully { _ in } }

    /// Sends a text once something arrives.
    private final class Saying: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let text: String
        private let endless: String
        private var isEndless = false

        init(_ text: String, endless: String) {
            self.text = text
            self.endless = endless
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isEndless else { return }
            isEndless = !endless.isEmpty
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            if isEndless { goOn(context) }
        }

        private func goOn(_ context: ChannelHandlerContext) {
            let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            let part = wrapOutboundOut(ByteBuffer(string: endless))
            context.writeAndFlush(part).whenSuccess {
                // Later, since a write may be done at once.
                loopBound.eventLoop.execute {
                    let (handler, context) = loopBound.value
                    if context.channel.isActive { handler.goOn(context) }
                }
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// Answers the requests of one connection.
    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let table: Table
        private var request = Request(method: "", path: "", headers: [:], body: [])

        init(_ table: Table) { self.table = table }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                request = Request(
                    method: head.method.rawValue, path: head.uri,
                    headers: Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" },
                    body: [])
            case .body(let bytes): request.body += bytes.readableBytesView
            case .end: answer(context, table.answer(request))
            }
        }

        private func answer(_ context: ChannelHandlerContext, _ answer: Answer) {
            switch answer {
            case .document(let type, let bytes, let others):
                var headers = ["content-type": type, "content-length": "\(bytes.count)"]
                headers.merge(others) { $1 }
                send(context, 200, headers, bytes)
            case .status(let code, let headers): send(context, code, headers.merging(["content-length": "0"]) { $1 })
            case .redirect(let location, let code):
                var headers = ["content-length": "0"]
                headers["location"] = location
                send(context, code, headers)
            // The table has taken the turns apart.
            case .inTurn: send(context, 500, ["content-length": "0"])
            case .unannounced(let count):
                send(context, 200, ["transfer-encoding": "chunked"], [UInt8](repeating: 1, count: count))
            case .silence: break
            case .late(let milliseconds):
                let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
                context.eventLoop.scheduleTask(in: .milliseconds(Int64(milliseconds))) {
                    let (handler, context) = loopBound.value
                    if context.channel.isActive { handler.send(context, 200, ["content-length": "0"]) }
                }
            case .drip:
                send(context, 200, ["content-length": "100000"], [1], ends: false)
                drip(context)
            case .cutOff:
                send(context, 200, ["content-length": "1000"], [1, 2, 3], ends: false)
                context.close(promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func send(
            _ context: ChannelHandlerContext, _ status: Int, _ headers: [String: String], _ body: [UInt8] = [],
            ends: Bool = true
        ) {
            let head = HTTPResponseHead(
                version: .http1_1, status: .init(statusCode: status), headers: HTTPHeaders(headers.map { ($0, $1) }))
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            if request.method != "HEAD" {
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
            }
            if ends { context.write(wrapOutboundOut(.end(nil)), promise: nil) }
            context.flush()
        }

        private func drip(_ context: ChannelHandlerContext) {
            let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: .milliseconds(20)) {
                let (handler, context) = loopBound.value
                guard context.channel.isActive else { return }
                let part = handler.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: [1]))))
                context.writeAndFlush(part, promise: nil)
                handler.drip(context)
            }
        }
    }
}
