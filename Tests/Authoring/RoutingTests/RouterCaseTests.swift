import Foundation
import TestSupport
import Testing

@testable import Routing

/// Cases from the tests, documentation and issues of other routers, each with the options that are named after it.
///
/// `HSLINK_ROUTER_CASES` names a further file of the same form, whose cases are run too.
@Suite("what other routers do")
struct RouterCaseTests {
    static let table = CaseTable.json("Tests/Authoring/RoutingTests/router-cases.json", of: RouterCase.self)

    /// The cases of `HSLINK_ROUTER_CASES`; nil if it is not set.
    static let further = ProcessInfo.processInfo.environment["HSLINK_ROUTER_CASES"].map { path in
        CaseTable.json(path, of: RouterCase.self)
    }

    @Test("the file has its cases, with different names")
    func hasCases() {
        Self.table.expect(count: 172)
        #expect(Set(Self.table.cases.map(\.id)).count == Self.table.cases.count)
    }

    @Test("the file of HSLINK_ROUTER_CASES has cases", .enabled(if: further != nil))
    func hasFurtherCases() throws { try #require(Self.further).expect(atLeast: 1) }

    @Test("a URL matches as in the router that the case is from", arguments: table.cases)
    func matches(_ routerCase: RouterCase) throws { try check(routerCase) }

    @Test(
        "so it does in the cases of HSLINK_ROUTER_CASES", .enabled(if: further != nil), arguments: further?.cases ?? [])
    func furtherMatches(_ routerCase: RouterCase) throws { try check(routerCase) }

    /// Cases of what the file has none of, as in other files of its form.
    static let others: [String] = [
        // What a table has for a URL.
        #"""
        {"id": "object", "op": "object", "dialect": "zik", "url": "x://a/1", "matched": true, "params": {"id": "1"},
         "patterns": [{"pattern": "x://a/:id", "handler_returns": "value"}], "object": "value"}
        """#,
        #"""
        {"id": "no object", "op": "object", "dialect": "zik", "url": "x://a/1", "matched": false,
         "patterns": [{"pattern": "x://a/:id", "handler_returns": false}]}
        """#,
        // The nearest ancestor answers, but it is not exactly what was asked for.
        #"""
        {"id": "ancestor", "dialect": "zik", "url": "x://a/b", "matched": true, "params": {},
         "options": {"match_exactly": false}, "patterns": ["x://a"]}
        """#,
        #"""
        {"id": "not exactly", "op": "can_open_exact", "dialect": "zik", "url": "x://a/b", "matched": false,
         "options": {"match_exactly": false}, "patterns": ["x://a"]}
        """#,
        #"""
        {"id": "exactly", "op": "can_open_exact", "dialect": "zik", "url": "x://a", "matched": true,
         "options": {"match_exactly": false}, "patterns": ["x://a"]}
        """#,
        // Patterns that are valid for some sources.
        #"""
        {"id": "only", "dialect": "zik", "url": "y://h/a/1", "matched": true, "params": {"id": "1"},
         "patterns": [{"pattern": "/a/:id", "only": ["x://", "y://h"]}]}
        """#,
        #"""
        {"id": "only others", "dialect": "zik", "url": "z://h/a/1", "matched": false,
         "patterns": [{"pattern": "/a/:id", "only": ["x://", "y://h"]}]}
        """#,
        // Types of a case, of its own and among the options.
        #"""
        {"id": "table", "dialect": "zik", "url": "x:///c/red", "matched": true, "params": {"shade": 1},
         "patterns": ["/c/<colour:shade>"], "converters": {"colour": {"red": 1, "blue": 2}}}
        """#,
        #"""
        {"id": "list", "dialect": "zik", "url": "x:///c/red", "matched": true, "params": {"shade": "red"},
         "patterns": ["/c/<colour:shade>"], "options": {"converters": {"colour": ["red"]}}}
        """#,
        #"""
        {"id": "no colour", "dialect": "zik", "url": "x:///c/green", "matched": false,
         "patterns": ["/c/<colour:shade>"], "converters": {"colour": ["red"]}}
        """#,
    ]

    @Test("so it does in cases of what the file has none of", arguments: others)
    func otherMatches(json: String) throws { try check(try RouterCase(json: json)) }

    @Test(
        "a case that says something unknown is refused",
        arguments: [
            (#""op": "fly""#, "unknown operation fly"), (#""wings": 2"#, "unknown keys: wings"),
            (#""patterns": [{"pattern": "/a", "wings": 2}]"#, "unknown keys: wings"),
            (#""steps": [{"wings": 2}]"#, "unknown keys: wings"),
            (#""options": {"wings": true}"#, "unknown option wings"),
            (#""options": {"decode_plus": "yes"}"#, "unknown option decode_plus"),
            (#""options": {"accepting": ["a"]}"#, #""a" is no source of URLs"#),
            (#""patterns": [{"pattern": "/a", "only": ["a"]}]"#, #""a" is no source of URLs"#),
            (#""patterns": [{"pattern": "/a", "only": 2}]"#, "expected a list of strings"),
            (#""patterns": [{"pattern": "x://a", "handler_returns": 2}]"#, "unknown behaviour of a handler"),
            (#""dialect": "klingon""#, "unknown dialect klingon"),
        ])
    func unknown(json: String, message: String) throws {
        let dialect = json.hasPrefix(#""dialect""#) ? "" : #""dialect": "zik", "#
        let text = #"{"id": "unknown", "url": "x://a", "matched": true, \#(dialect)\#(json)}"#
        let error = #expect(throws: CaseError.self) { try check(try RouterCase(json: text)) }
        #expect(error?.description.hasPrefix(message) == true, "\(String(describing: error))")
    }

    private func check(_ routerCase: RouterCase) throws {
        let options = try routerCase.routingOptions()
        switch routerCase.op {
        case "register_invalid":
            var table = RouteTable<Int>(options: options)
            let refusal = #expect(throws: (any Error).self) {
                for pattern in routerCase.patterns {
                    for parsed in try pattern.parse(options) { try table.add(parsed, priority: pattern.priority, 0) }
                }
            }
            // Refused by the library, not because the case is wrong.
            if let error = refusal as? CaseError { throw error }
        case "generate":
            let text = try #require(routerCase.url ?? routerCase.patterns.first?.text)
            let pattern = try RoutePattern(text, syntax: options.syntax)
            let url =
                if let values = routerCase.values { try pattern.url(values: values) } else {
                    try pattern.url((routerCase.params ?? [:]).mapValues(\.value))
                }
            #expect(url == routerCase.expectedUrl)
        case "query":
            guard let url = try url(of: routerCase) else { return }
            try compare(try QueryItem.items(of: url, options), routerCase)
        case "perform_url":
            guard let url = try url(of: routerCase) else { return }
            let found = try TargetActionURL(url, options).flatMap { $0.isNative ? nil : $0 }
            #expect((found != nil) == routerCase.matched)
            guard let found, routerCase.matched else { return }
            if let target = routerCase.target { #expect(found.target == target) }
            if let action = routerCase.action { #expect(found.action == action) }
            try compare(found.items, routerCase)
        case "open": try open(routerCase, options)
        case "can_open":
            try open(routerCase, options)
            guard let url = try url(of: routerCase) else { return }
            #expect(try makeTable(routerCase, options).canOpen(url) == routerCase.matched)
        case "can_open_exact":
            // A match that is not of the nearest ancestor; and also what a table says that refuses unknown tails.
            guard let url = try url(of: routerCase) else { return }
            let match = try makeTable(routerCase, options).match(url)
            #expect((match.map { !$0.isAncestor } ?? false) == routerCase.matched)
            var exact = options
            exact.unknownTail = .refused
            #expect(try makeTable(routerCase, exact).canOpen(url) == routerCase.matched)
        case "object":
            // The value that the table has for the pattern, which is what its handler returns.
            guard let url = try url(of: routerCase) else { return }
            let match = try makeTable(routerCase, options).match(url)
            let object = match.flatMap { $0.value.handlerReturns.map(\.value) ?? .boolean(true) }
            #expect((object ?? .boolean(false) != .boolean(false)) == routerCase.matched)
            if let expected = routerCase.object { #expect(object == expected.value) }
            if let match, routerCase.matched { try compare(match, routerCase) }
        case let other: throw CaseError("unknown operation \(other)")
        }
    }

    /// Returns the URL of a case. A null pointer is no `String`: it never reaches a table, and nothing is found for it.
    private func url(of routerCase: RouterCase) throws -> String? {
        if routerCase.url == nil { #expect(!routerCase.matched, "expected a URL that matches, found null") }
        return routerCase.url
    }

    /// Makes the table of a case, and changes it in the steps of the case.
    private func makeTable(_ routerCase: RouterCase, _ options: RoutingOptions) throws -> RouteTable<RouterPattern> {
        var table = RouteTable<RouterPattern>(options: options)
        for pattern in routerCase.patterns {
            for parsed in try pattern.parse(options) {
                if let count = routerCase.expandedCount { #expect(parsed.variants.count == count) }
                try table.add(parsed, priority: pattern.priority, pattern)
            }
        }
        for step in routerCase.steps {
            if let scheme = step.unregisterScheme { #expect(table.removeAll(scheme: scheme) > 0) }
            guard let removed = step.remove else { continue }
            for pattern in try RouterPattern(text: removed, scheme: step.scheme).parse(options) {
                #expect(table.remove(pattern, andBelow: routerCase.dialect == "mgj") > 0)
            }
        }
        return table
    }

    private func open(_ routerCase: RouterCase, _ options: RoutingOptions) throws {
        let table = try makeTable(routerCase, options)
        guard let url = try url(of: routerCase) else { return }
        let match = try table.matches(url).first { match in
            try !match.value.declines(match.parameters())
        }
        #expect((match != nil) == routerCase.matched)
        if !routerCase.patterns.contains(where: { $0.handlerReturns != nil }) {
            #expect(table.canOpen(url) == routerCase.matched)
            #expect(table.match(url)?.identity == match?.identity)
        }
        if let match, routerCase.matched { try compare(match, routerCase) }
    }

    private func compare(_ match: RouteMatch<RouterPattern>, _ routerCase: RouterCase) throws {
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
        let values = QueryItem.merged(items, try routerCase.routingOptions())
        try compare(Dictionary(uniqueKeysWithValues: values.map { ($0.name, $0.value) }), routerCase)
    }

    private func compare(_ parameters: [String: RouteValue], _ routerCase: RouterCase) throws {
        for (name, expected) in routerCase.params ?? [:] {
            #expect(parameters[name] == expected.value, "\(name)")
        }
        if !routerCase.paramsPartial {
            #expect(Set(parameters.keys) == Set((routerCase.params ?? [:]).keys))
        }
    }
}

extension RouterCase {
    fileprivate init(json: String) throws { self = try JSONDecoder().decode(RouterCase.self, from: Data(json.utf8)) }
}
