import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// What belongs to one request, apart from the request itself.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection of the browser.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}

/// How long browsers may take.
enum Patience {
    /// For the rest of a request after its head.
    static let body = Duration.seconds(10)
    /// For taking the next piece of an answer: see ``AnswerWatch``.
    static let write = Duration.seconds(30)
    /// For taking the last answer on a connection.
    static let refused = Duration.seconds(2)
    /// For the first request of a connection, with what comes before it: encryption, and its own head.
    static let head = Duration.seconds(10)
    /// For another request on the same connection.
    static let idle = TimeAmount.seconds(60)
}

extension Channel {
    /// Reads the body of a request. A client that waits until it is asked for the body is asked now (RFC 9110, section
    /// 10.1.1), so that it need not send the body of a request that has been refused before.
    ///
    /// - Throws: `NIOTooManyBytesError` if it is longer than `limit`, or another error if its end has not come.
    func collect(_ body: RequestBody, of request: Request, upTo limit: Int) async throws -> ByteBuffer {
        try await closing(after: Patience.body) {
            if request.headers[.expect]?.lowercased() == "100-continue" {
                try await writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue))).get()
            }
            return try await body.collect(upTo: limit)
        }
    }

    /// Runs `body`; closes the connection if that takes longer than `patience`, so that code that waits for the browser
    /// goes on with an error.
    func closing<Value: Sendable>(after patience: Duration, _ body: () async throws -> Value) async throws -> Value {
        let timer = eventLoop.scheduleTask(in: TimeAmount(patience)) { [self] in close(promise: nil) }
        defer { timer.cancel() }
        return try await body()
    }
}
