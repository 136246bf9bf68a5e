import ComponentKit
import HostContract
import PageKit

/// How routes look.
enum RouteViews {
    /// All routes.
    static func routes(_ list: RouteList, in context: PageContext? = nil) -> some View {
        Stack {
            used(list.routes, in: context, empty: "No component has a route.").key("used")
            if !list.refused.isEmpty {
                Card("Routes that are not used") { refused(list.refused) }.key("refused")
            }
        }
    }

    /// Routes that the host uses.
    ///
    /// - Parameters:
    ///   - most: how many are shown at first.
    ///   - bytes: how long their texts may be together.
    static func used(
        _ routes: [RouteRow], in context: PageContext?, most: Int = 200, bytes: Int = 2 << 20, empty: String
    ) -> LongTable {
        LongTable(
            ["Pattern", "Component", "Calls", "From outside", "Tags", "Problem"], routes, in: context, most: most,
            bytes: bytes, empty: empty, key: \.identity
        ) { route in
            TableRow([
                .code(route.pattern.oneLine()), TableCell(route.component.oneLine(120).orDash),
                .code(route.call.oneLine().orDash), TableCell(route.access), TableCell(route.tags.listed()),
                route.available == false ? .badge("not available", .failure) : "",
            ])
        }
    }

    /// Routes that the host does not use.
    static func refused(_ routes: [UnusedRouteRow], bytes: Int = 1 << 20) -> LongTable {
        LongTable(
            ["Pattern", "Component", "Calls", "Reason"], routes, bytes: bytes, empty: "All routes are used.",
            key: \.identity
        ) { route in
            TableRow([
                .code(route.pattern.oneLine().orDash), TableCell(route.component.oneLine(120)),
                .code(route.call.oneLine()), TableCell(route.reason.oneLine(500)),
            ])
        }
    }

    /// The form for a URL, and where it leads.
    static func explaining(_ question: RouteQuestion?, _ answer: RouteAnswer?) -> some View {
        Stack {
            Form("Explain", .call("explain")) {
                Field("url", "URL", .text(longest: 2000)).required().help("For example studio://film/clip.mp4")
                Field("outside", "It comes from outside the program", .toggle)
                    .help("Only public routes can be opened from outside, and only from sources that the host allows.")
            }.key("form")
            if let question, let answer { card(question, answer).key("answer") }
        }
    }

    private static func card(_ question: RouteQuestion, _ answer: RouteAnswer) -> some View {
        let subtitle = question.isFromOutside ? "From outside, as a link in a browser." : "From inside the program."
        return Card(question.url.oneLine(500), subtitle: subtitle) {
            if !answer.problem.isEmpty {
                Text("It was not looked up: \(answer.problem.oneLine(500))", style: .failure).key("problem")
            } else if let chosen = answer.candidates.first(where: { $0.outcome == "chosen" }) {
                Text("It opens \(chosen.route.call.oneLine().orDash).", style: .success).key("chosen")
            } else {
                Text("No route matches.", style: .warning).key("chosen")
            }
            if !answer.redirects.isEmpty {
                Text("It is redirected to \(answer.redirects.listed()).").key("redirects")
            }
            if !answer.interceptors.isEmpty {
                Text("Asked before it is opened: \(answer.interceptors.listed()).").key("interceptors")
            }
            for (index, problem) in answer.problems.prefix(20).enumerated() {
                Text("It would fail: \(problem.oneLine(500))", style: .failure).key("problem \(index)")
            }
            if !answer.candidates.isEmpty { candidates(answer.candidates).key("candidates") }
            if answer.omitted > 0 {
                Text("\(answer.omitted) more do not match.", style: .caption).key("omitted")
            }
        }
    }

    private static func candidates(_ candidates: [RouteAnswer.Candidate]) -> LongTable {
        LongTable(
            ["Outcome", "Pattern", "Calls", "From outside", "Parameters", "Why not"], candidates, empty: "",
            key: \.route.identity
        ) { candidate in
            TableRow([
                .badge(candidate.outcome.asWords.oneLine(60), candidate.outcome == "chosen" ? .success : .neutral),
                .code(candidate.route.pattern.oneLine()), .code(candidate.route.call.oneLine().orDash),
                TableCell(candidate.route.access), .code(candidate.parameters.listed()),
                TableCell(candidate.reason.oneLine(500)),
            ])
        }
    }
}
