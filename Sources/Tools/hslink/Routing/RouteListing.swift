import ComponentKit
import HostContract
import SystemSupport

/// The table that `hslink routes` prints.
struct RouteListing {
    let list: RouteList

    /// Returns the tables, separated by an empty line. An empty one is left out, except for the first.
    func text(on terminal: Terminal) -> String {
        var table = ListingTable(["PATTERN", "CLASS", "SELECTOR", "COMPONENT", "PUBLIC", "TAGS", "PRIORITY"])
        table.rows = list.routes.map { route in
            let isAvailable = route.available ?? true
            let component = route.component.isEmpty ? "-" : route.component
            return [
                .init(text: route.pattern, color: isAvailable ? .none : .bad), .init(text: route.class),
                .init(text: route.selectorText), .init(text: component + (isAvailable ? "" : " (not available)")),
                .init(text: route.accessText), .init(text: route.tags.joined(separator: ", ")),
                .init(text: "\(route.priority)", color: .faint),
            ]
        }
        guard !list.refused.isEmpty else { return table.text(on: terminal) }
        var other = ListingTable([
            "NOT USED", "CLASS", "SELECTOR", "COMPONENT", .init(title: "REASON", shortening: .atEnd),
        ])
        other.rows = list.refused.map { route in
            [
                .init(text: route.pattern, color: .bad), .init(text: route.class), .init(text: route.selector),
                .init(text: route.component), .init(text: route.reason),
            ]
        }
        return table.text(on: terminal) + "\n\n" + other.text(on: terminal)
    }
}

/// The output of `hslink routes --match`, from the answer of a host.
struct RouteExplanationReport {
    let answer: Payload

    private var candidates: [Payload] { (try? answer["candidates"]?.items()) ?? [] }

    /// Whether a route matches the URL.
    var hasMatch: Bool { candidates.contains { $0.text("outcome") == "chosen" } }

    private func texts(_ key: String) -> [String] {
        ((try? answer[key]?.items()) ?? []).compactMap { try? $0.string() }
    }

    /// Returns a table of the routes, and what else decides about opening the URL.
    func text(on terminal: Terminal) -> String {
        if let problem = answer["problem"] { return "Not looked up: \((try? problem.string()) ?? "")".escaped }
        var table = ListingTable([
            "", "PATTERN", "CALLS", "PUBLIC", "PARAMETERS", .init(title: "WHY NOT", shortening: .atEnd),
        ])
        table.rows = candidates.map { candidate in
            let route = try? candidate.value("route", as: RouteRow.self)
            let isChosen = candidate.text("outcome") == "chosen"
            let parameters = ((try? candidate["parameters"]?.entries()) ?? []).map { "\($0.key)=\($0.value)" }
            return [
                .init(text: isChosen ? "→" : candidate.text("outcome") == "outranked" ? "+" : "-"),
                .init(text: route?.pattern ?? "", color: isChosen ? .good : .none),
                .init(text: route?.callText ?? "-"), .init(text: route?.accessText ?? ""),
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
}

extension Payload {
    /// The text of a key; empty if there is none.
    fileprivate func text(_ key: String) -> String { (try? self[key]?.string()) ?? "" }
}

extension RouteRow {
    fileprivate var selectorText: String { (kind == "class" ? "+" : "") + selector }

    /// Who may open it from outside: nobody, everyone whom the host allows, or these sources.
    fileprivate var accessText: String { !`public` ? "" : sources.isEmpty ? "yes" : sources.joined(separator: ", ") }

    /// What a route calls, as in `VideoLink.open`.
    fileprivate var callText: String { `class`.isEmpty ? "-" : "\(`class`).\(selectorText)" }
}
