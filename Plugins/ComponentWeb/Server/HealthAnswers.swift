import ComponentKit
import HTTPTypes
import HostContract
import Hummingbird
import NIOCore

/// Answers `/healthz` and `/readyz`, for load balancers and the probes of containers.
///
/// They ask by any name or address, so these answers come before the check of the name. They need no session, set no
/// cookie, and say no more than the names of components.
struct HealthAnswers: Sendable {
    let link: Link

    /// - Returns: Nil if the request is for something else.
    func answer(_ request: Request) async -> Response? {
        guard request.method == .get || request.method == .head else { return nil }
        switch request.uri.path {
        // Whoever reads this has reached a thread that answers.
        case "/healthz": return HealthAnswers.response(.ok, "ok")
        case "/readyz":
            let problem = await problem()
            return HealthAnswers.response(
                problem == nil ? .ok : .serviceUnavailable, problem.map { "not ready: \($0)" } ?? "ready")
        default: return nil
        }
    }

    /// Why the host cannot take calls; nil if it can.
    private func problem() async -> String? {
        guard let health = try? await link.service(HostServiceClient.self).health() else {
            return "the host does not say"
        }
        if health.isReady { return nil }
        guard health.phase == "running" else { return "the host is \(health.phase)" }
        return "\(health.failures.joined(separator: ", ")) cannot start"
    }

    private static func response(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
}
