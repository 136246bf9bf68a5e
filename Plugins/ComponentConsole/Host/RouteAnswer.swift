import ComponentKit
import HostContract

/// A URL whose target is asked for.
struct RouteQuestion: Hashable, Sendable {
    var url: String
    /// Whether it counts as one from outside the program.
    var isFromOutside: Bool

    /// The source that stands for all outside the program.
    static let source = "browser"
}

/// Where a URL leads, and why.
struct RouteAnswer: Hashable, Sendable {
    /// A route that was compared with the URL.
    struct Candidate: Hashable, Sendable {
        /// "chosen", "outranked", or why it does not match.
        var outcome: String
        var reason: String
        var route: RouteRow
        /// The values from the URL, as JSON.
        var parameters: [String]
    }

    var candidates: [Candidate]
    /// How many more routes do not match.
    var omitted: Int
    /// Why the URL was not looked up; empty if it was.
    var problem: String
    /// The URLs that it leads to in place of the given one.
    var redirects: [String]
    /// The methods that are asked before it is opened.
    var interceptors: [String]
    /// Why opening it would fail.
    var problems: [String]

    init(_ answer: Payload) {
        candidates = answer.list("candidates").compactMap { candidate in
            guard let route = try? candidate.value("route", as: RouteRow.self) else { return nil }
            return Candidate(
                outcome: candidate.text("outcome"), reason: candidate.text("reason"), route: route,
                parameters: candidate.members("parameters").map { "\($0.key)=\($0.value)" })
        }
        omitted = answer.number("omitted")
        problem = answer.text("problem")
        redirects = answer.texts("redirects")
        interceptors = answer.texts("interceptors")
        problems = answer.texts("problems")
    }
}
