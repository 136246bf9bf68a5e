import ComponentKit
import SystemSupport

/// The output of `hslink routes`, from the answer of a host.
struct RouteListing {
    private let answer: Payload

    init(_ answer: Payload) { self.answer = answer }

    private func items(_ key: String) -> [Payload] { (try? answer[key]?.items()) ?? [] }

    /// Returns the tables, separated by an empty line. An empty one is left out, except for the first.
    func text(on terminal: Terminal) -> String {
        var table = Table([
            .init(title: "PATTERN"), .init(title: "CLASS"), .init(title: "SELECTOR"), .init(title: "COMPONENT"),
            .init(title: "PUBLIC"), .init(title: "TAGS"), .init(title: "PRIORITY"),
        ])
        table.rows = items("routes").map { route in
            let isAvailable = (try? route["available"]?.bool()) ?? true
            let component = route.text("component")
            return [
                .init(text: route.text("pattern"), color: isAvailable ? .none : .bad),
                .init(text: route.text("class")), .init(text: route.selectorText),
                .init(text: (component.isEmpty ? "-" : component) + (isAvailable ? "" : " (not available)")),
                .init(text: route.isPublic ? "yes" : ""),
                .init(text: route.tags.joined(separator: ", ")),
                .init(text: route["priority"].flatMap { try? $0.int() }.map { "\($0)" } ?? "0", color: .faint),
            ]
        }
        let refused = items("refused")
        guard !refused.isEmpty else { return table.text(on: terminal) }
        var other = Table([
            .init(title: "NOT USED"), .init(title: "CLASS"), .init(title: "SELECTOR"), .init(title: "COMPONENT"),
            .init(title: "REASON", shortening: .atEnd),
        ])
        other.rows = refused.map { route in
            [
                .init(text: route.text("pattern"), color: .bad), .init(text: route.text("class")),
                .init(text: route.text("selector")), .init(text: route.text("component")),
                .init(text: route.text("reason")),
            ]
        }
        return table.text(on: terminal) + "\n\n" + other.text(on: terminal)
    }

    /// Returns the listing as one JSON object, described in the help.
    func json() throws(PayloadError) -> String { try answer.json() }
}

/// The output of `hslink routes --match`, from the answer of a host.
struct RouteExplanationReport {
    private let answer: Payload

    init(_ answer: Payload) { self.answer = answer }

    private var candidates: [Payload] { (try? answer["candidates"]?.items()) ?? [] }

    /// Whether a route matches the URL.
    var hasMatch: Bool { candidates.contains { $0.text("outcome") == "chosen" } }

    private func texts(_ key: String) -> [String] {
        ((try? answer[key]?.items()) ?? []).compactMap { try? $0.string() }
    }

    /// Returns a table of the routes, and what else decides about opening the URL.
    func text(on terminal: Terminal) -> String {
        if let problem = answer["problem"] { return "Not looked up: \((try? problem.string()) ?? "")".escaped }
        var table = Table([
            .init(title: ""), .init(title: "PATTERN"), .init(title: "CALLS"), .init(title: "PUBLIC"),
            .init(title: "PARAMETERS"), .init(title: "WHY NOT", shortening: .atEnd),
        ])
        table.rows = candidates.map { candidate in
            let route = candidate["route"] ?? .null
            let isChosen = candidate.text("outcome") == "chosen"
            let parameters = ((try? candidate["parameters"]?.entries()) ?? []).map { "\($0.key)=\($0.value)" }
            return [
                .init(text: isChosen ? "→" : candidate.text("outcome") == "outranked" ? "+" : "-"),
                .init(text: route.text("pattern"), color: isChosen ? .good : .none),
                .init(text: route.callText), .init(text: route.isPublic ? "yes" : ""),
                .init(text: parameters.joined(separator: " ")),
                .init(text: candidate.text("reason"), color: .faint),
            ]
        }
        var lines = hasMatch ? [] : ["No route matches."]
        if !table.rows.isEmpty { lines.append(table.text(on: terminal)) }
        lines += texts("redirects").map { "Redirected to: \($0)".escaped }
        lines += texts("interceptors").map { "Asked before it is opened: \($0)".escaped }
        lines += texts("problems").map { "It would fail: \($0)".escaped }
        let omitted = answer["omitted"].flatMap { try? $0.int() } ?? 0
        if omitted > 0 { lines.append("\(omitted) more \(omitted == 1 ? "route does" : "routes do") not match.") }
        return lines.joined(separator: "\n")
    }

    /// Returns the explanation as one JSON object, described in the help.
    func json() throws(PayloadError) -> String { try answer.json() }
}

extension Payload {
    /// The text of a key; empty if there is none.
    fileprivate func text(_ key: String) -> String { (try? self[key]?.string()) ?? "" }

    fileprivate var isPublic: Bool { (try? self["public"]?.bool()) == true }

    fileprivate var tags: [String] { ((try? self["tags"]?.items()) ?? []).compactMap { try? $0.string() } }

    fileprivate var selectorText: String { (text("kind") == "class" ? "+" : "") + text("selector") }

    /// What a route calls, as in `VideoLink.open`.
    fileprivate var callText: String { text("class").isEmpty ? "-" : "\(text("class")).\(selectorText)" }
}
