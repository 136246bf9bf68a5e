import ComponentKit
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The cookie with which a request came, or can be answered.
struct SessionCookie: Hashable, Sendable {
    /// The name, which differs from port to port: browsers send a cookie to all ports of a host.
    let name: String
    /// Whether the browser has sent one with this name, whatever it says.
    let isSent: Bool
    /// Whether the answer may set it. It must not replace a newer one, of which the browser did not know yet when it
    /// sent the request.
    var maySet = true
}

/// The sessions of browsers: finds the one of a request, gives it a new id, and ends it.
final class BrowserSessions: Sendable {
    let keys: SessionKeys
    private let isSecure: Bool
    /// Those in which the password was given: nobody else can make this table overflow.
    private let trusted: EndedSessions
    private let guests = EndedSessions()
    /// Those that go on under another id: what is answered in them must not bring their cookie back.
    private let passedOn = EndedSessions()
    /// The successors on offer, and whether a component has taken them.
    private let offers = Lock<[Session: Bool]>([:])
    private let log: @Sendable (LogLevel, String) -> Void

    /// - Parameters:
    ///   - trusted: the ended sessions in which the password was given.
    ///   - isSecure: whether browsers use HTTPS.
    ///   - log: logs what operators should know.
    init(
        _ keys: SessionKeys, trusted: EndedSessions, isSecure: Bool,
        log: @escaping @Sendable (LogLevel, String) -> Void
    ) {
        self.keys = keys
        self.trusted = trusted
        self.isSecure = isSecure
        self.log = log
    }

    private static var now: Int { Int(Date.now.timeIntervalSince1970) }

    // MARK: - Cookies

    /// Returns the session of a request, which is a new one if the request has no valid cookie.
    func session(
        of request: Request, on channel: any Channel
    ) -> (web: WebSession, isNew: Bool, cookie: SessionCookie) {
        let name = BrowserSessions.cookieName(
            request.head.authority, listeningAt: channel.localAddress?.port, isSecure: isSecure)
        let sent = request.cookies[name]
        var cookie = SessionCookie(name: name, isSent: sent != nil)
        let now = BrowserSessions.now
        if let web = sent.flatMap({ keys.session(of: $0.value, now: now) }) {
            let ended = web.isTrusted ? trusted : guests
            if !ended.contains(web.id) { return (web, false, cookie) }
            cookie.maySet = !ended.hasJustEnded(web.id, now: now)
        }
        return (keys.new(isTrusted: false, now: now), true, cookie)
    }

    /// Returns the name of the cookie: two hosts on one machine must not replace each other's.
    ///
    /// With HTTPS, browsers accept it from this host only (RFC 6265bis, section 4.1.3).
    ///
    /// - Parameters:
    ///   - authority: the host and port in the address that the browser uses. Behind a proxy, that is the proxy's.
    ///   - port: the port on which this host listens, which counts if the address names none.
    ///   - isSecure: whether the browser uses HTTPS.
    static func cookieName(_ authority: String?, listeningAt port: Int?, isSecure: Bool) -> String {
        let port = authority.flatMap { HostName($0)?.port } ?? port
        return (isSecure ? "__Host-hslink" : "hslink") + (port.map { "-\($0)" } ?? "")
    }

    /// Returns the header that makes a browser keep a session.
    func header(_ web: WebSession, _ cookie: SessionCookie) -> String {
        "\(cookie.name)=\(keys.cookie(of: web)); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(SessionKeys.lifetime)"
            + (isSecure ? "; Secure" : "")
    }

    /// Sets the cookie with an answer if the browser has none, or one that will be too old soon.
    func addCookie(of request: WebRequest, to headers: inout HTTPFields) {
        let (web, now) = (request.web, BrowserSessions.now)
        let isOld = keys.isOld(web, now: now)
        guard isOld || request.isFirst, headers[.setCookie] == nil, request.cookie.maySet else { return }
        // Another window may have signed in or out while this one has waited for its answer.
        guard !isOver(web), !passedOn.contains(web.id) else { return }
        let renewed = WebSession(id: web.id, isTrusted: web.isTrusted, issuedAt: now)
        headers[.setCookie] = header(isOld ? renewed : web, request.cookie)
    }

    // MARK: - New ids

    /// Makes calls that may give the session of a request a new id.
    ///
    /// - Returns: What `body` has returned or thrown, and the request, in the new session if there is one.
    func offeringRenewal<Value: Sendable>(
        _ request: WebRequest, body: () async throws -> Value
    ) async throws -> (Result<Value, any Error>, WebRequest) {
        let next = keys.new(isTrusted: request.web.isTrusted, now: BrowserSessions.now)
        let successor = try Session(id: next.id)
        offers.withLock { $0[successor] = false }
        let result: Result<Value, any Error>
        do {
            result = .success(try await Session.with(request.session, successor: successor, body: body))
        } catch {
            result = .failure(error)
        }
        guard offers.withLock({ $0.removeValue(forKey: successor) }) == true else { return (result, request) }
        passedOn.note(request.web.id, now: BrowserSessions.now)
        var renewed = request
        renewed.former = request.web
        renewed.web = next
        renewed.session = successor
        return (result, renewed)
    }

    /// Notes that the session of the running call continues under the id on offer.
    func noteRenewed() {
        guard let successor = Session.successor else { return }
        offers.withLock { offers in if offers[successor] != nil { offers[successor] = true } }
    }

    /// Answers a request whose session has a new id: sets the cookie, and ends the former session once the browser has
    /// the answer, so that its other windows come back with the new cookie.
    ///
    /// - Parameters:
    ///   - request: the request in the new session.
    ///   - ended: is called when the former session has ended, or the browser has gone without the answer: what is open
    ///     in that session must not stay open.
    func passOn(_ request: WebRequest, with response: inout Response, ended: @escaping @Sendable () -> Void) {
        guard let former = request.former else { return }
        response.headers[.setCookie] = header(request.web, request.cookie)
        let body = response.body
        response.body = ResponseBody(contentLength: body.contentLength) { [self] writer in
            defer { ended() }
            try await body.write(writer)
            // The former id of a guest opens nothing any more, and requests with it may be on their way.
            if former.isTrusted { await end(former) }
        }
    }

    // MARK: - The end

    /// Ends a session, whoever has its cookie.
    func end(_ web: WebSession) async {
        do {
            try await (web.isTrusted ? trusted : guests).add(web.id, now: BrowserSessions.now)
        } catch {
            log(.warning, "a session that has ended was not written down, so a restart would revive it: \(error)")
        }
    }

    /// Whether a session has ended, or its cookie is too old.
    func isOver(_ web: WebSession) -> Bool {
        BrowserSessions.now - web.issuedAt >= SessionKeys.lifetime
            || (web.isTrusted ? trusted : guests).contains(web.id)
    }
}

/// Why a request has not got the session that it needs, in a word for scripts.
enum SessionProblem: String, Hashable, Sendable {
    /// The password of the host is needed.
    case signIn
    /// The token of the form belongs to another session.
    case session
    /// The browser has sent no cookie.
    case cookies
}

extension WebRequest {
    /// The failure of a form without the token of the session: see ``SessionKeys/accept(_:in:)``.
    var expiredForm: WebFailure {
        let reload = "Reload the page, then try again."
        var failure = WebFailure(
            .forbidden, "This form has expired",
            text: cookie.isSent ? reload : "This site needs cookies for forms. \(reload)")
        failure.sessionProblem = cookie.isSent ? .session : .cookies
        return failure
    }
}
