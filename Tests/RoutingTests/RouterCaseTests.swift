import Foundation
import Testing

@testable import Routing

/// Cases from the tests, documentation and issues of other routers, each with the options that are named after it.
///
/// `HSLINK_ROUTER_CASES` names a further file of the same form.
@Suite("what other routers do")
struct RouterCaseTests {
    static let cases: [RouterCase] = {
        let own = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "router-cases.json")
        let more = ProcessInfo.processInfo.environment["HSLINK_ROUTER_CASES"].map { URL(filePath: $0) }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return ([own] + (more.map { [$0] } ?? [])).flatMap { file in
            do {
                return try decoder.decode([RouterCase].self, from: Data(contentsOf: file))
            } catch {
                Issue.record("\(file.path): \(error)")
                return []
            }
        }
    }()

    @Test("the file has cases with different names")
    func hasCases() {
        #expect(Self.cases.count >= 71)
        #expect(Set(Self.cases.map(\.id)).count == Self.cases.count)
    }

    @Test("a URL matches as in the router that the case is from", arguments: cases)
    func matches(_ routerCase: RouterCase) throws {
        let options = routerCase.routingOptions
        switch routerCase.op ?? "open" {
        case "register_invalid":
            #expect(throws: (any Error).self) {
                var table = RouteTable<Int>(options: options)
                for pattern in routerCase.patterns { try table.add(pattern.parse(options), 0) }
            }
        case "generate":
            let pattern = try RoutePattern(routerCase.url ?? "", syntax: options.syntax)
            #expect(try pattern.url(values: routerCase.values ?? []) == routerCase.expectedUrl)
        case "query":
            try compare(try QueryItem.items(of: routerCase.url ?? "", options), routerCase)
        case "perform_url":
            let found = try TargetActionURL(routerCase.url ?? "", options).flatMap { $0.isNative ? nil : $0 }
            #expect((found != nil) == routerCase.matched)
            guard let found, routerCase.matched else { return }
            if let target = routerCase.target { #expect(found.target == target) }
            if let action = routerCase.action { #expect(found.action == action) }
            try compare(found.items, routerCase)
        case "open", "can_open": try open(routerCase, options)
        case let other: Issue.record("unknown operation \(other)")
        }
    }

    private func open(_ routerCase: RouterCase, _ options: RoutingOptions) throws {
        var table = RouteTable<RouterCase.Pattern>(options: options)
        for pattern in routerCase.patterns {
            let parsed = try pattern.parse(options)
            if let count = routerCase.expandedCount { #expect(parsed.variants.count == count) }
            try table.add(parsed, priority: pattern.priority, pattern)
        }
        for step in routerCase.steps ?? [] {
            if let scheme = step.unregisterScheme { #expect(table.removeAll(scheme: scheme) > 0) }
            if let removed = step.remove {
                let pattern = RouterCase.Pattern(text: removed, scheme: step.scheme)
                #expect(try table.remove(pattern.parse(options), andBelow: routerCase.dialect == "mgj") > 0)
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
        if let text = routerCase.matchedPattern { #expect(match.value.text == text) }
        if let tag = routerCase.matchedTag { #expect(match.value.tag == tag) }
        switch routerCase.matchedScheme {
        case nil: break
        case "JLRoutesGlobalRoutesScheme": #expect(match.pattern.scheme == nil)
        case let scheme?: #expect(match.pattern.scheme == scheme.lowercased())
        }
        if let rest = routerCase.wildcard { #expect(match.rest == rest) }
        let payload = (routerCase.userInfo ?? [:]).mapValues(\.value)
        try compare(try match.parameters(payload), routerCase)
    }

    private func compare(_ items: [QueryItem], _ routerCase: RouterCase) throws {
        let values = QueryItem.merged(items, routerCase.routingOptions)
        try compare(Dictionary(uniqueKeysWithValues: values.map { ($0.name, $0.value) }), routerCase)
    }

    private func compare(_ parameters: [String: RouteValue], _ routerCase: RouterCase) throws {
        for (name, expected) in routerCase.params ?? [:] {
            #expect(parameters[name] == expected.value, "\(name)")
        }
        if routerCase.paramsPartial != true {
            #expect(Set(parameters.keys) == Set((routerCase.params ?? [:]).keys))
        }
    }
}
