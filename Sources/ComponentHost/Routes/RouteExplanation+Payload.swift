package import ComponentKit
package import Routing

extension RouteExplanation {
    /// As a map: `{"url", "candidates": [{"outcome", "reason", "parameters", "route"}], "omitted", "problem"}`, without
    /// what is empty.
    ///
    /// - Parameter route: makes the map of a route.
    package func payload(_ route: (RouteTable<Value>.Route) -> Payload) -> Payload {
        var entries: [(String, Payload)] = [
            ("url", .string(url)),
            (
                "candidates",
                .array(
                    candidates.map { candidate in
                        var entries: [(String, Payload)] = [("outcome", .string("\(candidate.outcome)"))]
                        if !candidate.reason.isEmpty { entries.append(("reason", .string(candidate.reason))) }
                        if !candidate.pathValues.isEmpty {
                            entries.append(
                                ("parameters", .map(candidate.pathValues.map { ($0.name, Payload($0.value)) })))
                        }
                        return .map(entries + [("route", route(candidate.route))])
                    })
            ),
        ]
        if omitted > 0 { entries.append(("omitted", Payload(omitted))) }
        if let problem { entries.append(("problem", .string("\(problem)"))) }
        return .map(entries)
    }
}
