/// Why a URL leads to a route, and why not to others. Made by ``RouteTable/explain(_:limit:)``; its description is a
/// text for people.
public struct RouteExplanation<Value: Sendable>: Sendable, CustomStringConvertible {
    /// The outcome for a route.
    public enum Outcome: Hashable, Sendable {
        /// The URL leads to it.
        case chosen
        /// It matches the URL, but another route is better.
        case outranked
        /// It does not match the URL.
        case mismatch
    }

    /// A route and its outcome.
    public struct Candidate: Sendable, CustomStringConvertible {
        /// The route.
        public let route: RouteTable<Value>.Route
        /// The outcome.
        public let outcome: Outcome
        /// Why it was not chosen, as in `component 2: expected "video", found "film"`; empty for the route that was.
        public let reason: String
        /// The values of its placeholders if its pattern matches the URL.
        public let pathValues: [(name: String, value: RouteValue)]

        /// The outcome, the pattern and the reason in one line.
        public var description: String {
            let values = pathValues.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
            return switch outcome {
            case .chosen: "chosen: \(route.pattern)\(values.isEmpty ? "" : " (\(values))")"
            case .outranked: "outranked: \(route.pattern): \(reason)"
            case .mismatch: "no match: \(route.pattern): \(reason)"
            }
        }
    }

    /// The URL, without spaces and line ends around it.
    public let url: String
    /// Why the URL is not looked up at all; nil if it is.
    public let problem: RouteURLError?
    /// The routes that match, best first; then those that have something in common with the URL, closest first.
    public let candidates: [Candidate]
    /// The number of routes that are not listed, because they have little in common with the URL or are too many.
    public let omitted: Int

    /// The route that the URL leads to; nil if nothing matches.
    public var chosen: Candidate? { candidates.first { $0.outcome == .chosen } }

    /// One line for each candidate, and how many routes are not listed.
    public var description: String {
        var lines = candidates.map(\.description)
        if let problem {
            lines = ["not looked up: \(problem)"]
        } else if chosen == nil {
            lines.insert("no route matches", at: 0)
        }
        if omitted > 0 { lines.append("\(omitted) more \(omitted == 1 ? "route does" : "routes do") not match") }
        return lines.joined(separator: "\n")
    }
}

extension RouteTable {
    /// Explains which route a URL leads to, and why not to others. Looks at every route, so it takes much longer than
    /// ``match(_:)``.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - limit: the number of routes to list of those that match, and of those that do not.
    public func explain(_ url: String, limit: Int = 10) -> RouteExplanation<Value> {
        explain(url, limit: limit) { _ in nil }
    }

    /// Explains a URL to someone who may not open every route.
    ///
    /// - Parameter obstacle: returns why a route does not count as one that matches; nil if it does.
    package func explain(
        _ url: String, limit: Int = 10, obstacle: (_ value: Value) -> String?
    ) -> RouteExplanation<Value> {
        let limit = max(limit, 0)
        let url = url.withoutSpaceAround
        guard url.utf8.count <= options.lengthLimit else {
            return RouteExplanation(
                url: url, problem: .tooLong(limit: options.lengthLimit), candidates: [], omitted: count)
        }
        let all = matches(url).map { (match: $0, obstacle: obstacle($0.value)) }
        let matches = all.filter { $0.obstacle == nil }.map(\.match)
        var candidates: [RouteExplanation<Value>.Candidate] = []
        for (place, match) in matches.prefix(max(limit, 1)).enumerated() {
            candidates.append(
                RouteExplanation.Candidate(
                    route: Route(match), outcome: place == 0 ? .chosen : .outranked,
                    reason: place == 0 ? "" : match.reasonAfter(matches[0], options), pathValues: match.pathValues))
        }
        for (match, obstacle) in all.filter({ $0.obstacle != nil }).prefix(limit) {
            candidates.append(
                RouteExplanation.Candidate(
                    route: Route(match), outcome: .mismatch, reason: obstacle ?? "",
                    pathValues: match.pathValues))
        }
        let matching = Set(all.map(\.match.identity))
        let parts = URLParts(url, options)
        let schemes = patterns.schemes
        var costs = RouteDistance.Costs()
        let closest = patterns.liveVariants.compactMap {
            entry, variants -> (entry: RouteSet.Entry, mismatch: RouteMismatch)? in
            guard !matching.contains(entry.identity) else { return nil }
            return variants.map { RouteMismatch($0, parts, schemes: schemes, options: options, costs: &costs) }
                .min(by: RouteMismatch.isCloser).map { (entry, $0) }
        }.sorted { one, other in
            if RouteMismatch.isCloser(one.mismatch, other.mismatch) { return true }
            if RouteMismatch.isCloser(other.mismatch, one.mismatch) { return false }
            return (one.entry.pattern.text, one.entry.identity.serial)
                < (other.entry.pattern.text, other.entry.identity.serial)
        }
        // If nothing has much in common with the URL, the closest ones are still better than an empty list.
        let ofInterest = closest.filter(\.mismatch.isOfInterest)
        let listed = candidates.isEmpty && ofInterest.isEmpty ? closest.prefix(min(limit, 3)) : ofInterest.prefix(limit)
        for (entry, mismatch) in listed {
            guard let route = route(entry) else { continue }
            candidates.append(
                RouteExplanation.Candidate(
                    route: route, outcome: .mismatch, reason: mismatch.reason, pathValues: []))
        }
        return RouteExplanation(
            url: url, problem: nil, candidates: candidates, omitted: max(count - candidates.count, 0))
    }
}

extension RouteTable.Route {
    fileprivate init(_ match: RouteMatch<Value>) {
        self.init(pattern: match.pattern, priority: match.priority, value: match.value, identity: match.identity)
    }
}

extension RouteMatch {
    /// Returns why another route is better, which matches the same URL.
    fileprivate func reasonAfter(_ better: RouteMatch<Value>, _ options: RoutingOptions) -> String {
        if priority != better.priority { return "priority \(priority) after \(better.priority)" }
        let (own, other) = (pattern.variants[found.variant], better.pattern.variants[better.found.variant])
        if options.preference == .mostLiterals, own.literalCount != other.literalCount {
            return "\(own.literalCount) literal components after \(other.literalCount)"
        }
        let name = "\"\(better.pattern)\""
        if own.scheme == nil, other.scheme != nil { return "less specific: for any scheme, where \(name) names one" }
        if !own.beginsWithHost, other.beginsWithHost { return "less specific: without a host, where \(name) has one" }
        for index in 0..<max(own.elements.count, other.elements.count) {
            let mine = own.elements.indices.contains(index) ? own.elements[index] : nil
            let theirs = other.elements.indices.contains(index) ? other.elements[index] : nil
            if mine?.withoutName == theirs?.withoutName { continue }
            return "less specific: \(PatternElement.summary(mine)) where \(name) has \(PatternElement.summary(theirs))"
        }
        return "added after \(name)"
    }
}

extension PatternElement {
    /// What a reason says about an element; nil is the end of a pattern.
    fileprivate static func summary(_ element: PatternElement?) -> String {
        switch element {
        case nil: return "its end"
        case .literal(let bytes)?: return "the literal \"\(String(decoding: bytes, as: UTF8.self))\""
        case .placeholder(_, let type, let suffix)?:
            let kind = type.map { $0 == .string ? "" : " for \($0.phrase)" } ?? ""
            return "a placeholder\(kind)"
                + (suffix.isEmpty ? "" : " before \"\(String(decoding: suffix, as: UTF8.self))\"")
        case .rest(_, true)?: return "a path"
        case .rest(_, false)?: return "\"*\""
        case .fragment?: return "a fragment"
        }
    }
}

extension ValueType {
    /// The type with its article.
    var phrase: String { "\("aeio".contains(description.prefix(1)) ? "an" : "a") \(self)" }
}
