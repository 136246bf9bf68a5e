import AsyncHTTPClient
import ComponentKit
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NXServiceContract

/// An HTTP client with limits, which falls back to kept documents.
final class WebClient: Sendable {
    private let options: Lock<WebOptions>
    private let kept: KeptDocuments
    private let threads: MultiThreadedEventLoopGroup
    private let client: HTTPClient
    /// The end of the client; nil until ``cancel()``.
    private let end = Lock<EventLoopFuture<Void>?>(nil)

    private static let maximumRedirects = 5

    init(_ options: WebOptions, kept: KeptDocuments) {
        self.options = Lock(options)
        self.kept = kept
        // Threads of its own, not those that NIO shares: these end with the component.
        threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .milliseconds(Int64(options.connectTimeout * 1000))),
            decompression: .enabled(limit: .size(options.maximumBytes)))
        // A connection that fails is an answer here; trying again is up to the caller.
        configuration.connectionPool.retryConnectionEstablishment = false
        // The check reads the answers of this version. Requests here are few, so nothing is lost without HTTP/2.
        configuration.httpVersion = .http1Only
        configuration.http1_1ConnectionDebugInitializer = StatusCheck.add
        client = HTTPClient(eventLoopGroupProvider: .shared(threads), configuration: configuration)
    }

    /// Uses other options from now on, as far as they can change while the client exists.
    func use(_ options: WebOptions) {
        self.options.withLock { current in
            current.offline = options.offline
            current.timeout = options.timeout
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

    /// Fetches a document, or returns the kept one.
    func get(_ text: String, maximumBytes: Int?) async throws -> WebDocument {
        let url = try WebAddress(text)
        let options = options.withLock { $0 }
        let limit = min(maximumBytes ?? options.maximumBytes, options.maximumBytes)
        guard limit > 0 else {
            throw LinkError(.payloadMismatch, message: "maximumBytes: expected at least 1, found \(limit)")
        }
        let failure: WebError
        do throws(WebError) {
            guard !options.offline else { throw .unreachable(host: url.host, reason: "the configuration says offline") }
            let document = try await fetch(url, limit, timeout: options.timeout)
            await kept.keep(document)
            return document
        } catch {
            failure = error
        }
        try Task.checkCancellation()
        guard let reason = failure.reasonForKept, var document = await kept.document(url.fileName) else {
            throw failure
        }
        guard document.body.count <= limit else { throw WebError.tooLarge(url: text, maximumBytes: limit) }
        document.staleReason = reason
        return document
    }

    /// Fetches a document within a time, in seconds.
    private func fetch(_ url: WebAddress, _ limit: Int, timeout: Double) async throws(WebError) -> WebDocument {
        do {
            return try await withThrowingTaskGroup(of: WebDocument?.self) { tasks in
                tasks.addTask { try await self.follow(url, limit) }
                // The deadline of AsyncHTTPClient ends with the head of the answer; this one counts the body too.
                tasks.addTask {
                    try await Task.sleep(for: .seconds(timeout))
                    return nil
                }
                defer { tasks.cancelAll() }
                guard let first = try await tasks.next(), let document = first else {
                    throw WebError.timedOut(host: url.host, seconds: timeout)
                }
                return document
            }
        } catch let error as WebError {
            throw error
        } catch {
            throw .unreachable(host: url.host, reason: WebClient.reason(error))
        }
    }

    /// Why an exchange failed, in words. NIO's own name its functions and list every attempt.
    private static func reason(_ error: any Error) -> String {
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

    /// Fetches a document, and follows redirects.
    private func follow(_ start: WebAddress, _ limit: Int) async throws -> WebDocument {
        var url = start
        for _ in 0...WebClient.maximumRedirects {
            switch try await exchange(url, limit, for: start) {
            case .document(let document): return document
            case .redirect(let location): url = try url.redirected(to: location)
            }
        }
        throw WebError.redirect(url: start.text, reason: "more than \(WebClient.maximumRedirects) times")
    }

    private enum Answer {
        case document(WebDocument)
        case redirect(to: String?)
    }

    /// Sends a request.
    ///
    /// The server may just have closed the idle connection that was chosen for it; nothing has been sent then, and
    /// another one is tried. AsyncHTTPClient counts the wait for one of its connections to a busy server as connecting;
    /// here only the time for the whole exchange limits it.
    private func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        var isRepeated = false
        while true {
            do {
                return try await client.execute(request, deadline: .distantFuture)
            } catch ChannelError.ioOnClosedChannel where !isRepeated {
                isRepeated = true
            } catch let error as HTTPClientError where error == .getConnectionFromPoolTimeout {
                try Task.checkCancellation()
            }
        }
    }

    /// Sends one request and reads its answer.
    private func exchange(_ url: WebAddress, _ limit: Int, for start: WebAddress) async throws(WebError) -> Answer {
        do {
            var request = HTTPClientRequest(url: url.text)
            request.headers.add(name: "accept", value: "*/*")
            request.headers.add(name: "user-agent", value: "hslink")
            let response = try await execute(request)
            switch response.status.code {
            case 200:
                if let length = response.headers.first(name: "content-length").flatMap({ Int($0) }), length > limit {
                    throw WebError.tooLarge(url: url.text, maximumBytes: limit)
                }
                let body = try await response.body.collect(upTo: limit)
                return .document(
                    WebDocument(
                        url: url.text, mediaType: response.headers.first(name: "content-type"),
                        body: Data(body.readableBytesView), fetchedAt: .now, staleReason: nil, fileName: start.fileName)
                )
            case 301, 302, 303, 307, 308: return .redirect(to: response.headers.first(name: "location"))
            case let code: throw WebError.status(code: Int(code), url: url.text)
            }
        } catch let error as WebError {
            throw error
        } catch let error as HTTPClientError where error == .connectTimeout {
            throw .timedOut(host: url.host, seconds: options.withLock { $0.connectTimeout })
        } catch is NIOTooManyBytesError {
            throw .tooLarge(url: url.text, maximumBytes: limit)
        } catch let error as NIOHTTPDecompression.DecompressionError where error == .limit {
            throw .tooLarge(url: url.text, maximumBytes: limit)
        } catch {
            throw .unreachable(host: url.host, reason: WebClient.reason(error))
        }
    }
}

extension WebError {
    /// Why a kept document is given instead of this error; nil if it must not be.
    fileprivate var reasonForKept: String? {
        switch self {
        case .unreachable(let host, let reason): "\(host): \(reason)"
        case .timedOut(let host, let seconds): "\(host) did not answer within \(seconds) s"
        case .status(let code, let url): code >= 500 ? "\(url) was answered with status \(code)" : nil
        case .invalidURL, .tooLarge, .redirect: nil
        }
    }
}
