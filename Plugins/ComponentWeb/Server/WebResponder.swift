import ComponentKit
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PageKit

/// Answers requests.
struct WebResponder: HTTPResponder {
    let options: WebOptions
    let requestGuard: RequestGuard
    let sessions: BrowserSessions
    let gate: SignInGate?
    let pages: PageAnswers
    let files: FileAnswers
    let programs: ProgramAnswers?
    let health: HealthAnswers
    let log: @Sendable (LogLevel, String) -> Void
    private let securityHeaders: SecurityHeaders
    private var keys: SessionKeys { sessions.keys }
    private let browsers: KnownBrowsers
    private let failures = LogPause()

    init(
        options: WebOptions, requestGuard: RequestGuard, sessions: BrowserSessions, gate: SignInGate?,
        pages: PageAnswers, files: FileAnswers, programs: ProgramAnswers?, health: HealthAnswers,
        log: @escaping @Sendable (LogLevel, String) -> Void
    ) {
        self.options = options
        securityHeaders = SecurityHeaders(options)
        browsers = KnownBrowsers(sessions.keys, isSecure: options.isSecure)
        self.requestGuard = requestGuard
        self.sessions = sessions
        self.gate = gate
        self.pages = pages
        self.files = files
        self.programs = programs
        self.health = health
        self.log = log
    }

    func respond(to request: Request, context: WebContext) async throws -> Response {
        var response: Response
        do {
            response = try await answer(request, context.channel)
        } catch {
            let failure = WebFailure(error)
            if let reason = failure.reason, failure.status == .internalServerError, failures.isDue() {
                log(.warning, "\(request.uri.path): \(reason)")
            }
            response = self.failure(failure, request)
        }
        // What GET sends along is not waited for.
        if request.method != .post, request.headers.announceBody { response.headers[.connection] = "close" }
        // With HTTP/2 an answer says nothing about its connection, which others use as well (RFC 9113, section 8.2.2).
        if context.channel.isStreamOfConnection { response.headers[.connection] = nil }
        securityHeaders.add(to: &response.headers)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(_ request: Request, _ channel: any Channel) async throws -> Response {
        if let response = await health.answer(request) { return response }
        try requestGuard.check(request)
        guard WebRoute.knownMethods.contains(request.method) else {
            throw WebFailure(.notImplemented, "That is not possible", text: "Expected GET, HEAD or POST.")
        }
        guard request.uri.path.utf8.count <= WebPath.longest else {
            throw WebFailure(.uriTooLong, "This address cannot be read", text: "It is too long.")
        }
        guard let path = WebPath(request.uri.path) else {
            if let other = WebResponder.withoutSlash(request) { return .seeOther(other) }
            throw WebFailure(.badRequest, "This address cannot be read", text: "It is malformed.")
        }
        let route = WebRoute(path).flatMap { $0.isForPrograms && programs == nil ? nil : $0 }
        if let route, route.isForPrograms, let programs {
            return await programs.answer(route, path, to: request, on: channel)
        }
        if let route, !route.methods.contains(request.method) { throw WebFailure.methodNotAllowed(route) }
        if let response = try publicFile(route, path, for: request) { return response }
        await files.looks.update()
        let now = Int(Date.now.timeIntervalSince1970)
        let (web, isNew, cookie) = sessions.session(of: request, on: channel)
        let question = WebRequest(
            request: request, path: path, web: web, session: try Session(id: web.id), channel: channel,
            isFirst: isNew, cookie: cookie)
        guard gate == nil || web.isTrusted || route == .signIn else { return try signInFirst(question, route) }
        guard let route else { throw WebFailure.notFound }
        var response =
            request.method == .post
            ? try await post(route, question, now: now) : try await answer(route, question, now: now)
        sessions.addCookie(of: question, to: &response.headers)
        return response
    }

    /// Returns the path of a page without a slash at its end, which people add.
    private static func withoutSlash(_ request: Request) -> String? {
        let path = request.uri.path
        guard request.method == .get || request.method == .head, path.utf8.last == UInt8(ascii: "/"),
            let clean = WebPath(String(decoding: path.utf8.dropLast(), as: UTF8.self))
        else {
            return nil
        }
        return WebPlaces.place(clean, query: request.uri.query)?.text
    }

    /// Answers GET and HEAD.
    private func answer(_ route: WebRoute, _ request: WebRequest, now: Int) async throws -> Response {
        let parts = request.path.parts
        switch route {
        case .first: return try await pages.first()
        case .console, .consolePage:
            // A short way to the pages of ComponentConsole.
            guard let url = WebPlaces.page(parts.joined(separator: ".")) else { throw WebFailure.notFound }
            return .seeOther(url.text)
        case .page: return try await pages.page(WebPlaces.pageID(parts[1], query: request.request.uri.query), request)
        case .events: return try await pages.events(parts[1], request)
        case .resource: return try files.resource(parts, request.request)
        case .media: return try await files.media(parts, request)
        case .signIn: return try await signIn(request, nil, now: now)
        default: throw WebFailure.notFound
        }
    }

    /// Answers POST, if one of our own pages has sent the form.
    private func post(_ route: WebRoute, _ request: WebRequest, now: Int) async throws -> Response {
        let form: FormBody
        switch try await PostedForm(of: request, keys) {
        case .own(let own): form = own
        case .foreign(let other):
            guard route == .signIn, gate != nil else { throw request.expiredForm }
            // Another window of the browser has been quicker.
            if request.web.isTrusted { return .seeOther(WebResponder.next(of: other)) }
            return signInPage(
                SignInState(next: other["next"], problem: "The form had expired. Try again."), request,
                status: .forbidden)
        }
        switch route {
        case .perform: return try await pages.perform(request.path.parts[1], form, to: request)
        case .happened: return try await pages.happened(request.path.parts[1], form, to: request)
        case .signIn: return try await signIn(request, form, now: now)
        case .signOut: return await signOut(request, now)
        default: throw WebFailure.notFound
        }
    }

    /// What belongs to the pages themselves, which the sign-in needs too.
    private func publicFile(_ route: WebRoute?, _ path: WebPath, for request: Request) throws -> Response? {
        switch route {
        case .icon: try files.resource(["resources", WebPlaces.component, "web", "icon.svg"], request)
        case .look: try files.look(request)
        case .resource where path.parts[1].utf8.elementsEqual(WebPlaces.component.utf8):
            try files.resource(path.parts, request)
        default: nil
        }
    }

    // MARK: - The password of the host

    private func signInFirst(_ request: WebRequest, _ route: WebRoute?) throws -> Response {
        guard request.request.method != .post, !request.wantsJSON, route != .events else {
            var failure = WebFailure(.unauthorized, "Sign in first", text: "The password of this host is needed.")
            failure.sessionProblem = .signIn
            throw failure
        }
        let next = WebPlaces.place(request.path, query: request.request.uri.query)?.text
        return signInPage(SignInState(next: next), request, status: .unauthorized)
    }

    private func signInPage(_ state: SignInState, _ request: WebRequest, status: HTTPResponse.Status) -> Response {
        var response = Response.html(
            pages.renderer.signIn(state, DocumentState(site: options.title)), token: keys.token(of: request.web),
            status: status)
        sessions.addCookie(of: request, to: &response.headers)
        return response
    }

    private func signIn(_ request: WebRequest, _ form: FormBody?, now: Int) async throws -> Response {
        guard let gate else { return .seeOther("/") }
        guard let form else {
            return request.web.isTrusted ? .seeOther("/") : signInPage(SignInState(), request, status: .ok)
        }
        // A second session would not end when the person signs out.
        guard !request.web.isTrusted else { return .seeOther(WebResponder.next(of: form)) }
        let guesser = browsers.guesser(of: request.request, from: options.client(of: request.channel), now: now)
        switch try await gate.attempt(form["secret"] ?? "", from: guesser) {
        case .right:
            var response = Response.seeOther(WebResponder.next(of: form))
            // Another id: who has set the former one must not be signed in with it.
            response.headers[.setCookie] = sessions.header(keys.new(isTrusted: true, now: now), request.cookie)
            response.headers.append(browsers.newCookie(now: now))
            return response
        case .wrong:
            log(.warning, "failed sign-in to the pages: wrong password")
            return signInPage(
                SignInState(next: form["next"], problem: "That is not the password."), request, status: .unauthorized)
        case .wait(let seconds):
            var response = signInPage(
                SignInState(next: form["next"], problem: "There were too many attempts. Try again in \(seconds) s."),
                request, status: .tooManyRequests)
            response.headers[.retryAfter] = "\(seconds)"
            return response
        }
    }

    /// What is shown after the sign-in: a path of ours, so that it leads to no other site.
    private static func next(of form: FormBody) -> String {
        let url = form["next"].flatMap { text -> WebURL? in
            guard !text.utf8.starts(with: "//".utf8), !text.utf8.contains(UInt8(ascii: "\\")) else { return nil }
            let path = text.utf8.prefix { $0 != UInt8(ascii: "?") }
            let query = String(decoding: text.utf8.dropFirst(path.count + 1), as: UTF8.self)
            return WebPath(String(decoding: path, as: UTF8.self)).flatMap { WebPlaces.place($0, query: query) }
        }
        return url?.text ?? "/"
    }

    private func signOut(_ request: WebRequest, _ now: Int) async -> Response {
        await sessions.end(request.web)
        pages.hubs.end(request.session)
        var response = Response.seeOther("/")
        response.headers[.setCookie] = sessions.header(keys.new(isTrusted: false, now: now), request.cookie)
        return response
    }

    // MARK: - Failures

    private func failure(_ failure: WebFailure, _ request: Request) -> Response {
        var response: Response
        if failure.code != nil || MediaRanges(request.headers).preferJSON {
            response = .json(failure)
        } else {
            let message = MessagePage(
                title: failure.title, text: failure.text, status: failure.status.code, leadsToFirst: true)
            response = .html(
                pages.renderer.message(message, DocumentState(site: options.title)), token: "", status: failure.status)
        }
        if let seconds = failure.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
        for field in failure.headers { response.headers[field.name] = field.value }
        response.headers[.vary] = "Accept"
        // The rest of a request that is refused is not waited for, and where there is no room, a connection takes some.
        if request.headers.announceBody || failure.status == .serviceUnavailable {
            response.headers[.connection] = "close"
        }
        return response
    }
}
