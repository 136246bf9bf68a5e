import ComponentKit
import HTTPTypes
import Hummingbird
import NIOCore
import PageKit

/// A request that has passed the guard: who asks, and for what.
struct WebRequest: Sendable {
    let request: Request
    let path: WebPath
    var web: WebSession
    /// The session that calls carry along.
    var session: Session
    let channel: any Channel
    /// Whether the session begins with this request.
    let isFirst: Bool
    let cookie: SessionCookie
    /// The session before it was given a new id in this request; nil if it was not.
    var former: WebSession?

    /// The value of a header.
    func header(_ name: HTTPField.Name) -> String? { request.headers[name] }

    /// Whether a script asks, which wants an answer in JSON.
    var wantsJSON: Bool { MediaRanges(request.headers).preferJSON }

    /// Whether the person has asked for the page to be loaded again.
    var isReload: Bool {
        let control = header(.cacheControl) ?? ""
        return control.contains("no-cache") || control.contains("max-age=0")
    }

    /// The value of an item of the query.
    func query(_ name: String) -> String? {
        request.uri.queryParameters[Substring(name)].map(String.init)
    }

    /// Reads the fields that the browser has posted.
    ///
    /// - Throws: ``WebFailure`` if they are too many, too large, malformed or too slow.
    func form() async throws -> FormBody {
        let type = "application/x-www-form-urlencoded"
        guard request.headers.hasMediaType(type) else {
            throw WebFailure(
                .unsupportedMediaType, "This is not a form", text: "Expected \(type).", headers: [.accept: type])
        }
        let tooLarge = WebFailure(
            .contentTooLarge, "The form is too large", text: "A form has at most \(FormBody.largest) bytes.")
        if let length = header(.contentLength).flatMap({ Int($0) }), length > FormBody.largest { throw tooLarge }
        let body: ByteBuffer
        do {
            body = try await channel.collect(request.body, of: request, upTo: FormBody.largest)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        } catch {
            throw WebFailure(.badRequest, "This form cannot be read", text: "It is incomplete.")
        }
        guard let form = FormBody(body.readableBytesView) else { throw WebFailure.malformedForm }
        return form
    }
}

/// Why a request is not answered as it was meant, in words for the person and, if they differ, for programs.
struct WebFailure: Error, Hashable, Sendable {
    let status: HTTPResponse.Status
    let title: String
    let text: String
    /// The exact reason, for programs and the log; nil if the text says it.
    let reason: String?
    /// After how many seconds another attempt makes sense; nil if that is not known.
    var retryAfter: Int?
    /// What else the answer says, such as what would be accepted.
    let headers: HTTPFields
    /// What about the session is in the way; nil for anything else.
    var sessionProblem: SessionProblem?
    /// What scripts tell it by, whatever they have asked for: it is answered in JSON. Nil if they need not.
    var code: String?

    init(
        _ status: HTTPResponse.Status, _ title: String, text: String, reason: String? = nil, retryAfter: Int? = nil,
        headers: HTTPFields = [:]
    ) {
        self.status = status
        self.title = title
        self.text = text
        self.reason = reason
        self.retryAfter = retryAfter
        self.headers = headers
    }

    /// The request is not one of HTTP.
    static func malformed(_ text: String) -> WebFailure {
        WebFailure(.badRequest, "This request cannot be read", text: text)
    }

    /// The path does not have the method.
    static func methodNotAllowed(_ route: WebRoute) -> WebFailure {
        WebFailure(
            .methodNotAllowed, "That is not possible", text: "Expected \(route.allow).", headers: [.allow: route.allow])
    }

    /// Nothing is at the path.
    static let notFound = WebFailure(.notFound, "Nothing is here", text: "There is nothing at this address.")

    /// The body of a request is not a form.
    static let malformedForm = WebFailure(
        .badRequest, "This form cannot be read", text: "It is malformed, or has a field twice.")

    /// There is no room for another stream.
    static let tooManyPages = {
        var failure = WebFailure(
            .serviceUnavailable, "Too many pages are open",
            text: "Too many pages are open. This one does not update itself until others are closed.", retryAfter: 10)
        failure.code = "tooManyPages"
        return failure
    }()

    /// A stream needs a session.
    static let cookieNeeded = {
        var failure = WebFailure(
            .forbidden, "This site needs cookies", text: "Allow cookies for this site, then reload the page.")
        failure.code = "noSession"
        return failure
    }()

    /// The words for an error of a page.
    init(_ error: any Error) {
        switch error {
        case let error as WebFailure: self = error
        case let error as PageError:
            switch error {
            case .unknownPage(_, let similar):
                let text = similar.map { "Did you mean \"\($0)\"?" } ?? "Its address may be wrong, or it is gone."
                self.init(.notFound, "There is no such page", text: text, reason: "\(error)")
            case .deleted:
                self.init(
                    .notFound, "There is no such page", text: "It has just been deleted.", reason: "\(error)")
            case .invalidPageValue:
                self.init(
                    .badRequest, "This page cannot be shown", text: "\(error)".sentence, reason: "\(error)")
            case .unknownSection:
                self.init(
                    .notFound, "The page has changed", text: "It no longer has this part. Show it again.",
                    reason: "\(error)")
            case .notYetKnown:
                // Which component it is stands in the log, which is for the operator.
                self.init(
                    .serviceUnavailable, "This page is not there yet",
                    text: "A part of this host has not answered in time. Try again in half a minute.", retryAfter: 30)
            case .invalidPage(let id, _):
                // What is wrong names the file, which is for the operator.
                self.init(
                    .internalServerError, "The page cannot be shown",
                    text: "There is a mistake in it. Its operator can find the reason in the log.",
                    reason: "there is a mistake in the page \(id); 'hslink pages' says which")
            case .actionNotOffered:
                self.init(
                    .conflict, "The page has changed",
                    text: "This button has changed meanwhile. The page is up to date now; try again.",
                    reason: "\(error)")
            case .invalidValue: self.init(.unprocessableContent, "That did not work", text: "\(error)")
            case .actionFailed(let message, let forPeople):
                // The exact message is for the log: a reader has the answer for programs as well.
                self.init(.unprocessableContent, "That did not work", text: forPeople ?? message)
            }
        case let error as LinkError where error.code == .classNotFound || error.code == .stopped:
            self.init(
                .serviceUnavailable, "There are no pages now", text: "Try again in a few seconds.",
                reason: "the component that provides pages is missing", retryAfter: 5)
        case let error as LinkError:
            self.init(
                .internalServerError, "That did not work",
                text: "Something is wrong with this site. Its operator can find the reason in the log.",
                reason: error.message)
        default: self.init(.internalServerError, "That did not work", text: "Something went wrong on the server.")
        }
    }
}

extension String {
    /// The words as a sentence of their own.
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + (last == "?" || last == "." ? "" : ".") }
}

extension Response {
    /// A document.
    static func html(_ text: Rendered, token: String, status: HTTPResponse.Status = .ok) -> Response {
        .html(ByteBuffer(bytes: text.bytes(token: token)), status: status)
    }

    static func html(_ bytes: ByteBuffer, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: bytes))
    }

    /// Why a request is not answered as it was meant, for a script: the exact reason, what to tell a person, and whether
    /// it needs another session.
    static func json(_ failure: WebFailure) -> Response {
        var answer: [(String, Payload)] = [
            ("message", .string(failure.reason ?? failure.text)), ("text", .string(failure.text)), ("problem", true),
        ]
        if let problem = failure.sessionProblem { answer.append(("cause", .string(problem.rawValue))) }
        if let code = failure.code { answer.append(("code", .string(code))) }
        return .json(.map(answer), status: failure.status)
    }

    /// An answer for a script.
    static func json(_ payload: Payload, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: (try? payload.json()) ?? "{}")))
    }

    /// Leads to another path of ours, by GET.
    static func seeOther(_ path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path])
    }
}
