import ComponentKit
import HTTPTypes
import HostContract
import Hummingbird
import NIOCore

/// Answers programs: calls, URLs, counters, and the description of all that.
///
/// Every request carries the token. Nothing of sessions or cookies counts here, so no page in a browser can ask in the
/// name of the person in front of it.
struct ProgramAnswers: Sendable {
    let link: Link
    let options: ProgramOptions
    private let token: TokenDigest
    private let wrongTokens = LogPause()

    /// - Returns: nil if the options have no token.
    init?(_ link: Link, _ options: ProgramOptions) {
        guard let token = TokenDigest(options.token.text) else { return nil }
        self.link = link
        self.options = options
        self.token = token
    }

    /// What the host knows the openers of URLs as.
    private static let source = "http"
    /// The longest body of a call, in bytes.
    private static let largestBody = 4 << 20
    /// How long a call may take, unless the program says less or more.
    private static let patience = Duration.seconds(30)
    private static let longestPatience = 300.0

    /// Why no URL can be opened although the options say so; nil if URLs can be opened, or are not to be.
    var obstacle: String? {
        guard options.urls else { return nil }
        // What is wrong with a URL that no route matches is wrong with all of them.
        let answer = try? link.callAndWait(
            "hslink.Routes", "explain", ["url": "hslink-check:/", "source": .string(ProgramAnswers.source)],
            kind: .class)
        return (try? answer?["problems"]?.items().first?.string()) ?? nil
    }

    /// Answers a request.
    func answer(_ route: WebRoute, _ path: WebPath, to request: Request, on channel: any Channel) async -> Response {
        do {
            try admit(request)
            guard route.methods.contains(request.method) else {
                throw ProgramProblem(.methodNotAllowed, "expected \(route.allow)", headers: [.allow: route.allow])
            }
            switch route {
            case .call: return try await call(path.parts[1], path.parts[2], for: request, on: channel)
            case .open: return try await open(request)
            case .metrics: return try await metrics()
            case .openAPI: return try await description()
            default: throw ProgramProblem.notFound
            }
        } catch {
            var response = ProgramProblem(error).response
            // The body may not have been read, and nothing is read after a call.
            if route == .call || request.headers.announceBody { response.headers[.connection] = "close" }
            return response
        }
    }

    private func admit(_ request: Request) throws(ProgramProblem) {
        let value = request.headers[.authorization] ?? ""
        let words = value.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer", token.matches(String(words[1])) else {
            if !value.isEmpty, wrongTokens.isDue() { link.log(.warning, "refused a program: wrong token") }
            throw ProgramProblem(
                .unauthorized, value.isEmpty ? "expected 'Authorization: Bearer TOKEN'" : "the token is wrong")
        }
    }

    // MARK: - Calls

    /// `POST /call/CLASS/SELECTOR`
    private func call(
        _ className: String, _ selector: String, for request: Request, on channel: any Channel
    ) async throws -> Response {
        guard options.allows(className, selector) else {
            throw ProgramProblem(
                .notFound, "\(className.quotedForPrograms) has no method \(selector.quotedForPrograms) for programs")
        }
        let kind = try kind(className, selector, for: request)
        let timeout = try self.timeout(of: request)
        let payload = try await ProgramAnswers.payload(of: request, on: channel)
        let value = try await ProgramAnswers.whileThere(request, on: channel) { [link] in
            try await link.call(className, selector, payload, kind: kind, timeout: timeout)
        }
        var response = Response.programs(try ProgramAnswers.json(value))
        // No other request is read after that.
        response.headers[.connection] = "close"
        return response
    }

    /// Makes a call, and cancels it if the program leaves.
    private static func whileThere(
        _ request: Request, on channel: any Channel, call: @escaping @Sendable () async throws -> Payload
    ) async throws -> Payload {
        guard channel.isStreamOfConnection else {
            // The body has been read; from now on, the connection says only whether the program is still there.
            var waiting = request
            waiting.body = RequestBody(buffer: ByteBuffer())
            return try await waiting.body.consumeWithCancellationOnInboundClose { _ in try await call() }
        }
        // With HTTP/2, Hummingbird would end the request as soon as its answer is written, although not all of a long
        // one has been sent to a program with a small window.
        let running = Task { try await call() }
        channel.closeFuture.whenComplete { _ in running.cancel() }
        return try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            running.cancel()
        }
    }

    /// An instance, unless only the class has such a method or the program says which.
    private func kind(_ className: String, _ selector: String, for request: Request) throws -> SelectorKind {
        switch request.uri.queryParameters["kind"].map(String.init) {
        case "object": .object
        case "class": .class
        case nil:
            !link.isAvailable(className, selector, kind: .object)
                && link.isAvailable(className, selector, kind: .class) ? .class : .object
        case let other?:
            throw ProgramProblem(.badRequest, "kind: expected object or class, found \(other.quotedForPrograms)")
        }
    }

    private func timeout(of request: Request) throws -> Duration {
        guard let text = request.uri.queryParameters["timeout"].map(String.init) else { return ProgramAnswers.patience }
        guard let seconds = ProgramAnswers.number(text), (1...ProgramAnswers.longestPatience).contains(seconds) else {
            throw ProgramProblem(
                .badRequest, "timeout: expected 1 to 300 seconds, found \(text.quotedForPrograms)")
        }
        return .seconds(seconds)
    }

    /// Reads digits, perhaps with a point and more digits: `Double` would read "0x10" and "1e2" as well.
    private static func number(_ text: String) -> Double? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { 48...57 ~= $0 } }) else { return nil }
        return Double(text)
    }

    @concurrent private static func payload(of request: Request, on channel: any Channel) async throws -> Payload {
        let tooLarge = ProgramProblem(.contentTooLarge, "a body has at most \(largestBody) bytes")
        // Neither what is too long nor what is not JSON is asked for, or waited for.
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > largestBody { throw tooLarge }
        let type = "application/json"
        let isJSON = request.headers.hasMediaType(type)
        let notJSON = ProgramProblem(.unsupportedMediaType, "expected \(type)", headers: [.accept: type])
        if request.headers.announceBody, !isJSON { throw notJSON }
        let buffer: ByteBuffer
        do {
            buffer = try await channel.collect(request.body, of: request, upTo: largestBody)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        } catch let error where !(error is CancellationError) {
            throw ProgramProblem(.badRequest, "the body is incomplete")
        }
        guard buffer.readableBytes > 0 else { return .null }
        // With HTTP/2, no header need announce a body.
        guard isJSON else { throw notJSON }
        do {
            return try Payload(json: Array(buffer.readableBytesView))
        } catch {
            throw ProgramProblem(.badRequest, "the body is not valid JSON: \(error)")
        }
    }

    // MARK: - URLs and counters

    /// `GET /open?url=…`
    private func open(_ request: Request) async throws -> Response {
        guard options.urls else { throw ProgramProblem.notFound }
        guard let url = request.uri.queryParameters["url"].map(String.init) else {
            throw ProgramProblem(.badRequest, "url: expected a URL, found nothing")
        }
        let value = try await link.call(
            "hslink.Routes", "open", ["url": .string(url), "source": .string(ProgramAnswers.source)], kind: .class,
            timeout: try timeout(of: request))
        return .programs(try ProgramAnswers.json(value))
    }

    private static func json(_ value: Payload) throws(ProgramProblem) -> String {
        do {
            return try Payload.map([("value", value)]).json()
        } catch {
            throw ProgramProblem(.unprocessableContent, "the result cannot be written as JSON: \(error)")
        }
    }

    /// `GET /metrics`
    private func metrics() async throws -> Response {
        guard options.metrics else { throw ProgramProblem.notFound }
        let metrics = try await link.service(HostCountersServiceClient.self).prometheus()
        return Response(
            status: .ok, headers: [.contentType: metrics.type],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text)))
    }

    /// `GET /openapi.json`
    private func description() async throws -> Response {
        let schemas = try await link.service(HostSchemasServiceClient.self).all(
            references: OpenAPIDocument.references)
        return .programs(try OpenAPIDocument(schemas, options).payload.json())
    }
}

extension Response {
    fileprivate static func programs(_ text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension String {
    /// A name from a request, shortened and without control characters.
    var quotedForPrograms: String {
        let shown = String(
            prefix(100).map { $0.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 } ? $0 : "?" })
        return "\"\(shown)\(count > 100 ? "…" : "")\""
    }
}
