import ComponentKit
import Synchronization

/// The unit of a temperature.
@Model enum Scale: String, Sendable {
    case celsius, fahrenheit
}

/// Weather stations.
@LinkClass
final class StationLink {
    private let isSignedIn = Atomic(false)

    /// What the sensors of a station measure.
    @Route("weather://station/:id", "/stations/:id", public: true)
    func readings(id: Int, scale: Scale = .celsius, sensors: [String] = []) throws -> [String] {
        guard (1...9).contains(id) else { throw RouteDeclined("there is no station \(id)") }
        return (sensors.isEmpty ? ["air", "ground"] : sensors).map { "\($0): 20 degrees \(scale.rawValue)" }
    }

    /// The number of the newest station.
    @Route("weather://station/new") func newest() -> Int { 9 }

    /// Answers for stations that do not exist.
    @Route("weather://station/*rest", public: true)
    func unknown(rest: [String]) -> String { "no station has the number \(rest.joined(separator: "/"))" }

    /// Restarts a station.
    @Route("weather://station/:id/restart", tags: ["staff"])
    func restart(id: Int) -> String { "station \(id) restarts" }

    /// Signs an operator in.
    @Route("weather://sign-in") func signIn() { isSignedIn.store(true, ordering: .relaxed) }

    /// Signs an operator in before the host opens a route with the tag "staff".
    @Intercepts(priority: 100, tags: ["staff"])
    func requireSignIn(request: RouteRequest) -> RouteDecision {
        isSignedIn.load(ordering: .relaxed) ? .pass : .openFirst(url: "weather://sign-in")
    }
}
