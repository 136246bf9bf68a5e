package import ComponentKit
package import Routing
import SystemSupport

extension RouteTable {
    /// Explains a URL as a map: `{"url", "candidates": [{"outcome", "reason", "parameters", "route"}], "omitted",
    /// "problem"}`, without what is empty. The parameters of the route that is chosen are all of the URL, those of others
    /// that match the values of their placeholders.
    ///
    /// - Parameters:
    ///   - obstacle: returns why a route does not count as one that matches; nil if it does.
    ///   - route: makes the map of a route.
    package func explanation(
        of url: String, obstacle: (_ value: Value) -> String? = { _ in nil }, _ route: (Route) -> Payload
    ) -> Payload {
        let explanation = explain(url, obstacle: obstacle)
        let all = (try? matches(url).first { obstacle($0.value) == nil }?.exactParameters()) ?? []
        let candidates = explanation.candidates.map { candidate -> Payload in
            var entries: [(String, Payload)] = [("outcome", .string("\(candidate.outcome)"))]
            if !candidate.reason.isEmpty { entries.append(("reason", .string(candidate.reason))) }
            let parameters =
                (candidate.outcome == .chosen ? all : candidate.pathValues).map { ($0.name, Payload($0.value)) }
            if !parameters.isEmpty { entries.append(("parameters", .map(parameters))) }
            return .map(entries + [("route", route(candidate.route))])
        }
        var entries: [(String, Payload)] = [("url", .string(url)), ("candidates", .array(candidates))]
        if explanation.omitted > 0 { entries.append(("omitted", Payload(explanation.omitted))) }
        if let problem = explanation.problem { entries.append(("problem", .string("\(problem)"))) }
        return .map(entries)
    }
}

extension HostRoutes {
    /// Explains a URL as a map, as `RouteTable.explanation(of:obstacle:_:)` does, with what else decides about opening
    /// it: "redirects", the URLs that it leads to in place of the given one; "interceptors" that are asked; and "problems"
    /// that make it fail before they are. For a source outside, only public routes count.
    func explanation(of given: String, _ origin: RouteOrigin) -> Payload {
        let directory = feature.registry.snapshot.value
        var problems: [String] = []
        var redirects: [String] = []
        do throws(LinkError) {
            redirects = Array(try directory.redirected(given).dropFirst())
        } catch {
            problems.append(error.message)
        }
        let url = redirects.last ?? given
        let explanation = directory.table.explanation(of: url) { target in
            if origin.mayOpen(target) { return nil }
            let sources = target.access.sources.joined(separator: " and ")
            return sources.isEmpty ? "the route is not public" : "the route is public for \(sources) only"
        } _: {
            RouteInfo($0.value, in: core).payload
        }
        guard var entries = try? explanation.entries().map({ ($0.key, $0.value) }) else { return explanation }
        if !redirects.isEmpty { entries.append(("redirects", .array(redirects.map { .string($0) }))) }
        if let source = origin.source, !feature.options.remoteSources.contains(source) {
            problems.append("the host does not allow the source \(source.quoted())")
        }
        if let match = directory.table.matches(url).first(where: { origin.mayOpen($0.value) }),
            !match.value.isTargetAction
        {
            let asked = directory.interceptors.filter { $0.isAsked(for: match.value.tags) }
            problems += asked.compactMap(\.problem)
            let interceptors = asked.filter { $0.problem == nil }.map { "\($0.call.className).\($0.call.selector)" }
            if !interceptors.isEmpty { entries.append(("interceptors", .array(interceptors.map { .string($0) }))) }
            problems += directory.problems(of: match)
        }
        if !problems.isEmpty { entries.append(("problems", .array(problems.map { .string($0) }))) }
        return .map(entries)
    }
}

extension RouteDirectory {
    /// What makes opening a route fail before an interceptor is asked.
    fileprivate func problems(of match: RouteMatch<RouteTarget>) -> [String] {
        let target = match.value
        var problems = target.tags.filter { tag in !interceptors.contains { $0.tags.contains(tag) } }
            .map { "no interceptor has the tag \($0)" }
        do throws(LinkError) {
            let payload = try match.payload(.null, options, of: target.parameters)
            let missing = (target.parameters ?? []).filter { $0.isRequired && payload[$0.name] == nil }
            problems += missing.map { "the parameter \"\($0.name)\" is missing; it may be passed beside the URL" }
        } catch {
            problems.append(error.message)
        }
        return problems
    }
}
