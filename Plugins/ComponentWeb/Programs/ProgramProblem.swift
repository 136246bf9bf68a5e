import ComponentKit
import HTTPTypes
import Hummingbird
import NIOCore

/// Why a program is not answered as it asked: problem details as RFC 9457 says.
struct ProgramProblem: Error, Sendable {
    let status: HTTPResponse.Status
    let detail: String
    /// What else the answer says, such as what would be accepted.
    private let headers: HTTPFields
    /// What else is known of the failure of a call.
    private var members: [(String, Payload)] = []

    init(_ status: HTTPResponse.Status, _ detail: String, headers: HTTPFields = [:]) {
        self.status = status
        self.detail = detail
        self.headers = headers
    }

    static let notFound = ProgramProblem(.notFound, "there is nothing at this path")

    init(_ error: any Error) {
        switch error {
        case let error as ProgramProblem: self = error
        case let error as LinkError:
            self.init(ProgramProblem.status(of: error.code), error.message)
            members = [("code", .string("\(error.code)"))]
            for (name, value) in [
                ("class", error.className), ("selector", error.selector), ("component", error.component),
                ("domain", error.domain),
            ] where !value.isEmpty {
                members.append((name, .string(value)))
            }
            if error.number != 0 { members.append(("number", Payload(Int(error.number)))) }
            if let details = error.details { members.append(("details", details)) }
        case is CancellationError: self.init(.serviceUnavailable, "the call was cancelled")
        default: self.init(.badRequest, "the request could not be read")
        }
    }

    /// The status for the failure of a call. What is wrong with the request is 4xx, what another attempt may mend is 503.
    private static func status(of code: LinkError.Code) -> HTTPResponse.Status {
        switch code {
        // A route that declines a URL says that nothing is there: the next one is asked, until none is left.
        case .classNotFound, .selectorNotFound, .routeNotFound, .routeDeclined: .notFound
        case .payloadMismatch: .badRequest
        case .methodFailed: .unprocessableContent
        case .routeRefused: .forbidden
        case .deadlineExceeded: .gatewayTimeout
        case .noReply, .replyDropped, .invalidReply: .badGateway
        case .tooDeep, .wouldDeadlock: .unprocessableContent
        // The component cannot be called now.
        default: .serviceUnavailable
        }
    }

    var response: Response {
        let known: [(String, Payload)] = [
            ("type", "about:blank"), ("title", .string(status.reasonPhrase)), ("status", Payload(status.code)),
            ("detail", .string(detail)),
        ]
        // Details of an error may hold what JSON cannot write.
        let text =
            (try? Payload.map(known + members).json())
            ?? (try? Payload.map(known + members.filter { $0.0 != "details" }).json()) ?? "{}"
        var response = Response(
            status: status, headers: [.contentType: "application/problem+json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        for field in headers { response.headers[field.name] = field.value }
        switch status {
        case .unauthorized: response.headers[.wwwAuthenticate] = "Bearer"
        case .serviceUnavailable: response.headers[.retryAfter] = "5"
        default: break
        }
        return response
    }
}
