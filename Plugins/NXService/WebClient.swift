import AsyncHTTPClient
import ComponentKit
import Foundation
import NXServiceContract

/// Requests with limits. Requests for documents fall back to kept ones.
final class WebClient: Sendable {
    private let options: Lock<WebOptions>
    private let kept: KeptDocuments
    private let transport: WebTransport
    private let pauses = WebPauses()

    private static let maximumRedirects = 5
    private static let offlineReason = "the configuration says offline"

    init(_ options: WebOptions, kept: KeptDocuments) {
        self.options = Lock(options)
        self.kept = kept
        transport = WebTransport(options)
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
        transport.cancel()
        pauses.end()
    }

    /// Ends all exchanges, and waits for the end of the client, for a second at most.
    func close() {
        cancel()
        transport.close()
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
            guard !options.offline else { throw .unreachable(host: url.host, reason: WebClient.offlineReason) }
            let document = try await within(options.timeout, url.host) { try await self.fetch(url, limit: limit) }
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

    private func fetch(_ url: WebAddress, limit: Int) async throws(WebError) -> WebDocument {
        let (last, response) = try await follow(OutgoingRequest(get: url), limit: limit)
        guard response.status.code == 200 else {
            throw .status(code: Int(response.status.code), url: last.address.text)
        }
        return WebDocument(
            url: last.address.text, mediaType: response.headers.first(name: "content-type"),
            body: try await transport.body(of: response, from: last.address, limit: limit), fetchedAt: .now,
            staleReason: nil, fileName: url.fileName)
    }

    /// Sends a request, and returns its answer.
    func send(_ request: WebRequest) async throws -> WebAnswer {
        let options = options.withLock { $0 }
        let terms = try WebTerms(request, options)
        let outgoing = try OutgoingRequest(request, maximumBytes: options.maximumBytes)
        do throws(WebError) {
            guard !options.offline else {
                throw .unreachable(host: outgoing.address.host, reason: WebClient.offlineReason)
            }
            return try await within(terms.timeout, outgoing.address.host) { try await self.send(outgoing, terms) }
        } catch {
            try Task.checkCancellation()
            throw error
        }
    }

    private func send(_ request: OutgoingRequest, _ terms: WebTerms) async throws -> WebAnswer {
        let end = ContinuousClock.now + .seconds(terms.timeout)
        var attempt = 1
        while true {
            let result: Result<(OutgoingRequest, HTTPClientResponse), WebError>
            do throws(WebError) {
                result = .success(try await follow(request, limit: terms.limit, redirects: terms.followsRedirects))
            } catch {
                result = .failure(error)
            }
            if attempt <= terms.retries, let delay = delay(after: attempt, result), .now + delay < end {
                try await pauses.pause(delay)
                attempt += 1
                continue
            }
            let (last, response) = try result.get()
            let body = try await transport.body(of: response, from: last.address, limit: terms.limit)
            return WebAnswer(
                url: last.address.text, status: Int(response.status.code), headers: response.decodedHeaders, body: body,
                attempts: attempt)
        }
    }

    /// Returns the wait before a request is sent again; nil if its answer or failure is final.
    private func delay(
        after attempt: Int, _ result: Result<(OutgoingRequest, HTTPClientResponse), WebError>
    ) -> Duration? {
        switch result {
        case .success((_, let response)) where WebRetry.isWorthwhile(after: Int(response.status.code)):
            WebRetry.delay(after: attempt, retryAfter: response.headers.first(name: "retry-after"))
        case .failure(.unreachable), .failure(.timedOut): WebRetry.delay(after: attempt, retryAfter: nil)
        case .success, .failure: nil
        }
    }

    /// Runs an exchange with a server within a time, in seconds.
    private func within<Value: Sendable>(
        _ timeout: Double, _ host: String, exchange: @escaping @Sendable () async throws -> Value
    ) async throws(WebError) -> Value {
        do {
            return try await withThrowingTaskGroup(of: Value?.self) { tasks in
                tasks.addTask { try await exchange() }
                // The deadline of AsyncHTTPClient ends with the head of the answer; this one counts the body too.
                tasks.addTask {
                    try await Task.sleep(for: .seconds(timeout))
                    return nil
                }
                defer { tasks.cancelAll() }
                guard let first = try await tasks.next(), let value = first else {
                    throw WebError.timedOut(host: host, seconds: timeout)
                }
                return value
            }
        } catch let error as WebError {
            throw error
        } catch {
            throw .unreachable(host: host, reason: WebTransport.reason(error))
        }
    }

    /// Sends a request, and follows redirects.
    ///
    /// - Returns: The request that was sent last, and its answer, whose body has not been read yet.
    private func follow(
        _ start: OutgoingRequest, limit: Int, redirects followsRedirects: Bool = true
    ) async throws(WebError) -> (OutgoingRequest, HTTPClientResponse) {
        var request = start
        for _ in 0...WebClient.maximumRedirects {
            let response = try await transport.answer(to: request, limit: limit)
            guard followsRedirects, [301, 302, 303, 307, 308].contains(response.status.code) else {
                return (request, response)
            }
            request = try request.redirected(
                status: Int(response.status.code), to: response.headers.first(name: "location"))
        }
        throw WebError.redirect(url: start.address.text, reason: "more than \(WebClient.maximumRedirects) times")
    }
}

extension HTTPClientResponse {
    /// The headers, with names in lower case, as they describe the body after it was decompressed.
    fileprivate var decodedHeaders: [WebHeader] {
        // As what decompresses bodies reads it.
        let coding = headers[canonicalForm: "content-encoding"].first?.lowercased()
        let isDecoded = coding == "gzip" || coding == "deflate"
        return headers.map { WebHeader(name: $0.name.lowercased(), value: $0.value) }
            .filter { !isDecoded || !["content-encoding", "content-length"].contains($0.name) }
    }
}

extension WebError {
    /// Why a kept document is given instead of this error; nil if it must not be.
    fileprivate var reasonForKept: String? {
        switch self {
        case .unreachable(let host, let reason): "\(host): \(reason)"
        case .timedOut(let host, let seconds): "\(host) did not answer within \(seconds) s"
        case .status(let code, let url): code >= 500 ? "\(url) was answered with status \(code)" : nil
        case .invalidURL, .tooLarge, .redirect, .invalidRequest, .notJSON: nil
        }
    }
}
