import Foundation
import Testing

@testable import Routing

/// Cases from the tests, documentation and issues of other routers, each under the options of its router.
///
/// `HSLINK_ROUTER_CASES` names a further file of the same form.
@Suite("what other routers do")
struct RouterCaseTests {
    static let cases: [RouterCase] = {
        let own = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "router-cases.json")
        let more = ProcessInfo.processInfo.environment["HSLINK_ROUTER_CASES"].map { URL(filePath: $0) }
        return ([own] + (more.map { [$0] } ?? [])).flatMap { file in
            do {
                return try JSONDecoder().decode([RouterCase].self, from: Data(contentsOf: file))
            } catch {
                Issue.record("\(file.path): \(error)")
                return []
            }
        }
    }()

    @Test("the file has cases")
    func hasCases() { #expect(Self.cases.count >= 71) }

    @Test("a URL matches as its router matches it", arguments: cases)
    func matches(_ routerCase: RouterCase) throws {
        switch routerCase.op ?? "open" {
        case "register_invalid":
            #expect(throws: (any Error).self) {
                var table = RouteTable<Int>(options: routerCase.options)
                for pattern in routerCase.patterns { try table.add(pattern.parse(routerCase.options), 0) }
            }
        case "generate":
            let pattern = try RoutePattern(routerCase.url ?? "", syntax: routerCase.options.syntax)
            #expect(try pattern.url(values: routerCase.values ?? []) == routerCase.expected_url)
        case "query", "perform_url":
            let items = try QueryItem.items(of: routerCase.url ?? "", routerCase.options)
            let values = QueryItem.merged(items, routerCase.options)
            try compare(Dictionary(uniqueKeysWithValues: values.map { ($0.name, $0.value) }), routerCase)
        case "open", "can_open": try open(routerCase)
        case let other: Issue.record("unknown operation \(other)")
        }
    }

    private func open(_ routerCase: RouterCase) throws {
        var table = RouteTable<RouterCase.Pattern>(options: routerCase.options)
        for pattern in routerCase.patterns {
            let parsed = try pattern.parse(routerCase.options)
            if let count = routerCase.expanded_count { #expect(parsed.variants.count == count) }
            try table.add(parsed, priority: pattern.priority, pattern)
        }
        for step in routerCase.steps ?? [] {
            if let scheme = step.unregister_scheme { #expect(table.removeAll(scheme: scheme) > 0) }
            if let removed = step.remove {
                let pattern = RouterCase.Pattern(text: removed, scheme: step.scheme)
                #expect(try table.remove(pattern.parse(routerCase.options), andBelow: routerCase.dialect == "mgj") > 0)
            }
        }
        let url = routerCase.url ?? ""
        let match = try table.matches(url).first { match in
            try !match.value.declines(match.parameters())
        }
        #expect((match != nil) == routerCase.matched)
        if !routerCase.patterns.contains(where: { $0.handlerReturns != nil }) {
            #expect(table.canOpen(url) == routerCase.matched)
            #expect(table.match(url)?.identity == match?.identity)
        }
        guard let match, routerCase.matched else { return }
        if let text = routerCase.matched_pattern { #expect(match.value.text == text) }
        if let tag = routerCase.matched_tag { #expect(match.value.tag == tag) }
        switch routerCase.matched_scheme {
        case nil: break
        case "JLRoutesGlobalRoutesScheme": #expect(match.pattern.scheme == nil)
        case let scheme?: #expect(match.pattern.scheme == scheme.lowercased())
        }
        if let rest = routerCase.wildcard { #expect(match.rest == rest) }
        let payload = (routerCase.user_info ?? [:]).mapValues(\.value)
        try compare(try match.parameters(payload), routerCase)
    }

    private func compare(_ parameters: [String: RouteValue], _ routerCase: RouterCase) throws {
        for (name, expected) in routerCase.params ?? [:] {
            #expect(parameters[name] == expected.value, "\(name)")
        }
        if routerCase.params_partial != true {
            #expect(Set(parameters.keys) == Set((routerCase.params ?? [:]).keys))
        }
    }
}

/// A case of the file, whose keys are the properties.
struct RouterCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Pattern: Decodable, Sendable {
        let text: String
        var scheme: String?
        var tag: String?
        var handlerReturns: String?
        var priority = 0

        init(text: String, scheme: String?) {
            self.text = text
            self.scheme = scheme
        }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self.init(text: text, scheme: nil)
                return
            }
            let container = try decoder.container(keyedBy: Keys.self)
            self.init(
                text: try container.decode(String.self, forKey: .pattern),
                scheme: try container.decodeIfPresent(String.self, forKey: .scheme))
            tag = try container.decodeIfPresent(String.self, forKey: .tag)
            priority = try container.decodeIfPresent(Int.self, forKey: .priority) ?? 0
            handlerReturns =
                (try? container.decodeIfPresent(Bool.self, forKey: .handler_returns)).flatMap { $0.map(String.init) }
                ?? (try? container.decodeIfPresent(String.self, forKey: .handler_returns))
        }

        private enum Keys: String, CodingKey { case pattern, scheme, tag, priority, handler_returns }

        func parse(_ options: RoutingOptions) throws -> RoutePattern {
            try RoutePattern((scheme.map { "\($0):/" } ?? "") + text, syntax: options.syntax)
        }

        /// Whether the handler of the case wants another to be tried.
        func declines(_ parameters: [String: RouteValue]) -> Bool {
            switch handlerReturns?.lowercased() {
            case nil, "true", "yes": return false
            case "false", "no": return true
            case let text? where text.hasSuffix("is an integer"):
                guard let name = text.split(separator: " ").dropLast(3).last,
                    case .text(let value)? = parameters[String(name)]
                else { return true }
                return Int(value) == nil
            case let text?:
                Issue.record("unknown behaviour of a handler: \(text)")
                return true
            }
        }
    }

    struct Step: Decodable, Sendable {
        let remove: String?
        let scheme: String?
        let unregister_scheme: String?
    }

    struct Choices: Decodable, Sendable {
        let accepting: [String]?
        let host_as_path: Bool?
        let decode_plus: Bool?
    }

    /// A value of a case, as a route delivers it.
    struct Value: Decodable, Sendable {
        let value: RouteValue

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let list = try? container.decode([String].self) {
                value = .list(list)
            } else if let text = try? container.decode(String.self) {
                value = .text(text)
            } else if let boolean = try? container.decode(Bool.self) {
                value = .boolean(boolean)
            } else if let integer = try? container.decode(Int64.self) {
                value = .integer(integer)
            } else {
                value = .float(try container.decode(Double.self))
            }
        }
    }

    let id: String
    let dialect: String
    let patterns: [Pattern]
    let url: String?
    let matched: Bool
    let params: [String: Value]?
    let params_partial: Bool?
    let matched_pattern: String?
    let matched_tag: String?
    let matched_scheme: String?
    let wildcard: [String]?
    let user_info: [String: Value]?
    let steps: [Step]?
    let expanded_count: Int?
    let values: [String]?
    let expected_url: String?
    let op: String?
    private let choices: Choices?

    private enum CodingKeys: String, CodingKey {
        case id, dialect, patterns, url, matched, params, params_partial, matched_pattern, matched_tag, matched_scheme
        case wildcard, user_info, steps, expanded_count, values, expected_url, op
        case choices = "options"
    }

    var testDescription: String { id }

    var options: RoutingOptions {
        var options: RoutingOptions =
            switch dialect {
            case "mgj": .mgjRouter
            case "jlroutes": .jlRoutes
            case "urlnavigator", "urlnavigator-query": .urlNavigator
            case "hhrouter": .hhRouter
            case "crossroad": .crossroad
            case "ctmediator": .ctMediator
            default: RoutingOptions()
            }
        options.sources += (choices?.accepting ?? []).compactMap { URLSource($0) }
        switch choices?.host_as_path {
        case true?: options.hosts = .component
        case false?: options.hosts = .componentUnlessDomain
        case nil: break
        }
        if choices?.decode_plus == false { options.plus = .isPlus }
        return options
    }
}
