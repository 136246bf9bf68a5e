import AsyncHTTPClient
import ComponentKit
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NXServiceContract

/// The HTTP client and its threads: sends single requests, and reads answers within a limit.
final class WebTransport: Sendable {
    private let connectTimeout: Double
    private let allowsPrivate: Bool
    private let threads: MultiThreadedEventLoopGroup
    private let client: HTTPClient
    /// The end of the client; nil until ``cancel()``.
    private let end = Lock<EventLoopFuture<Void>?>(nil)

    init(_ options: WebOptions) {
        connectTimeout = options.connectTimeout
        let allowsPrivate = options.privateAddresses
        self.allowsPrivate = allowsPrivate
        // Threads of its own, not those that NIO shares: these end with the component.
        threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .milliseconds(Int64(options.connectTimeout * 1000))),
            decompression: .enabled(limit: .size(options.maximumBytes)))
        // A connection that fails is an answer here; trying again is up to the caller.
        configuration.connectionPool.retryConnectionEstablishment = false
        // The checks read the answers of this version. Requests here are few, so nothing is lost without HTTP/2.
        configuration.httpVersion = .http1Only
        configuration.http1_1ConnectionDebugInitializer = { WebTransport.addChecks(to: $0, allowsPrivate) }
        client = HTTPClient(eventLoopGroupProvider: .shared(threads), configuration: configuration)
    }

    /// Adds checks to a connection, behind the decoder of answers.
    private static func addChecks(to channel: any Channel, _ allowsPrivate: Bool) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            try pipeline.addHandlers([StatusCheck(), EncodingCheck()], position: .after(decoder))
            guard !allowsPrivate, channel.remoteAddress?.isPrivate != false else { return }
            try pipeline.addHandler(AddressCheck(), position: .after(decoder))
        }
    }

    /// Ends all exchanges with an error. Does not wait for them.
    func cancel() {
        end.withLock { end in
            if end == nil { end = client.shutdown() }
        }
    }

    /// Ends all exchanges, and waits for the client and its threads, unless a connection is being made: that cannot be
    /// cancelled, and must not hold up the host. They then end when it is made or has failed.
    func close() {
        cancel()
        guard let end = end.withLock({ $0 }) else { return }
        let isClosed = DispatchSemaphore(value: 0)
        // Keeps the client, which must not be released before its end.
        end.whenComplete { _ in self.threads.shutdownGracefully { _ in isClosed.signal() } }
        _ = isClosed.wait(timeout: .now() + .seconds(1))
    }

    /// Sends one request, and returns its answer, whose body has not been read yet.
    func answer(to outgoing: OutgoingRequest, limit: Int) async throws(WebError) -> HTTPClientResponse {
        // Where the address is known, no connection is made.
        guard allowsPrivate || !outgoing.address.isPrivate else { throw WebTransport.refusal(of: outgoing.address) }
        var request = HTTPClientRequest(url: outgoing.address.text)
        request.method = HTTPMethod(rawValue: outgoing.method.rawValue)
        for header in outgoing.headers { request.headers.add(name: header.name, value: header.value) }
        for (name, value) in [("accept", "*/*"), ("user-agent", "hslink")] where !request.headers.contains(name: name) {
            request.headers.add(name: name, value: value)
        }
        if let body = outgoing.body { request.body = .bytes(ByteBuffer(bytes: body)) }
        do {
            return try await execute(request, repeats: outgoing.body == nil || outgoing.method.isIdempotent)
        } catch {
            throw failure(error, at: outgoing.address, limit: limit)
        }
    }

    /// Sends a request.
    ///
    /// The server may just have closed the idle connection that was chosen for it; nothing has been sent then, and
    /// another one is tried. AsyncHTTPClient counts the wait for one of its connections to a busy server as connecting;
    /// here only the time for the whole exchange limits it.
    ///
    /// - Parameter repeats: Whether the request may be sent twice. The error is the same if a connection is closed because
    ///   of a wrong answer while a body is still being sent.
    private func execute(_ request: HTTPClientRequest, repeats: Bool) async throws -> HTTPClientResponse {
        var repeats = repeats
        while true {
            do {
                return try await client.execute(request, deadline: .distantFuture)
            } catch ChannelError.ioOnClosedChannel where repeats {
                repeats = false
            } catch let error as HTTPClientError where error == .getConnectionFromPoolTimeout {
                try Task.checkCancellation()
            }
        }
    }

    /// Reads the body of an answer.
    func body(
        of response: HTTPClientResponse, from address: WebAddress, limit: Int
    ) async throws(WebError) -> Data {
        do {
            return Data(try await response.body.collect(upTo: limit).readableBytesView)
        } catch {
            throw failure(error, at: address, limit: limit)
        }
    }

    /// Returns the error for an exchange with an address that failed.
    private func failure(_ error: any Error, at address: WebAddress, limit: Int) -> WebError {
        switch error {
        case let error as HTTPClientError where error == .connectTimeout:
            .timedOut(host: address.host, seconds: connectTimeout)
        case is AddressCheck.Refusal: WebTransport.refusal(of: address)
        // As for an open port, so that nobody finds out which ports are open.
        case let error as NIOConnectionError
        where !allowsPrivate && error.connectionErrors.contains(where: { $0.target.isPrivate }):
            WebTransport.refusal(of: address)
        case is NIOTooManyBytesError: .tooLarge(url: address.text, maximumBytes: limit)
        case let error as NIOHTTPDecompression.DecompressionError where error == .limit:
            .tooLarge(url: address.text, maximumBytes: limit)
        default: .unreachable(host: address.host, reason: WebTransport.reason(error))
        }
    }

    private static func refusal(of address: WebAddress) -> WebError {
        .invalidURL(url: address.text, reason: "its server has a private address, and only public ones are allowed")
    }

    /// Why an exchange failed, in words. NIO's own name its functions and list every attempt.
    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: return unsafe String(cString: strerror(error.errnoCode))
        case let error as NIOConnectionError:
            return error.connectionErrors.last.map { reason($0.error) } ?? "its name cannot be resolved"
        case let error as HTTPClientError where error == .alreadyShutdown || error == .cancelled:
            return "the host is stopping"
        case let error as HTTPClientError: return error.shortDescription
        case is HTTPParserError: return "its answer is not HTTP"
        default: return "\(error)"
        }
    }
}
