import Testing

@testable import Routing

@Suite("the index and the obvious way")
struct DifferentialTests {
    /// Random patterns and URLs over few words, so that much of it matches.
    struct Words {
        var generator: FixedGenerator

        mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &generator) ?? "" }

        mutating func pattern() -> String {
            var names = ["p", "q", "r", "s", "t", "u"]
            var text = pick(["s://", "s:/", "T://", "/", "/"])
            let count = Int.random(in: 0...4, using: &generator)
            for index in 0..<count {
                let component = (index > 0 ? "/" : "") + component(names.removeLast())
                let isOptional = index > 0 && Int.random(in: 0..<6, using: &generator) == 0
                text += isOptional ? "(\(component))" : component
            }
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: text += (count > 0 ? "/" : "") + "*"
            case 1: text += (count > 0 ? "/" : "") + "<path:rest>"
            case 2: text += "#/" + component(names.removeLast())
            case 3: text += "#"
            default: break
            }
            return text
        }

        private mutating func component(_ name: String) -> String {
            let types = ["<int>", "<uint>", "<float>", "<bool>", "<string>", "", "", ".html"]
            return Int.random(in: 0..<3, using: &generator) == 0
                ? ":\(name)" + pick(types) : pick(["a", "b", "A", "%61b", "7"])
        }

        mutating func url() -> String {
            var text = pick(["s://", "S://", "s:/", "t://", "other://", "/", "", "s:///"])
            for index in 0..<Int.random(in: 0...5, using: &generator) {
                if index > 0 { text += pick(["/", "/", "//"]) }
                text += pick(["a", "b", "A", "B", "x", "ab", "7", "-7", "1", "1.5", "c.html", "a%2Fb", "x.y", "%61"])
            }
            return text + pick(["", "", "/", "?a=b/c#", "#a", "#/b/", "#/7?x=y#z", "#"])
        }
    }

    @Test("both find the same routes in the same order", arguments: 1...60)
    func same(_ seed: UInt64) throws {
        var words = Words(generator: FixedGenerator(state: seed &* 0x9E37_79B9_7F4A_7C15))
        var options = RoutingOptions()
        options.preference = seed % 3 == 0 ? .mostLiterals : .leftmostLiteral
        options.hosts = [.componentUnlessDomain, .component, .ignored][Int(seed % 5) % 3]
        var table = RouteTable<Int>(options: options)
        var routes: [(pattern: RoutePattern, priority: Int, identity: RouteIdentity)] = []
        for number in 0..<40 {
            let pattern = try RoutePattern(words.pattern())
            let priority = number % 10 == 9 ? 1 : 0
            guard let identity = try? table.add(pattern, priority: priority, number) else { continue }
            routes.append((pattern, priority, identity))
        }
        // Some are removed again.
        for _ in 0..<5 {
            let removed = routes.remove(at: Int.random(in: routes.indices, using: &words.generator))
            #expect(table.remove(removed.identity) != nil)
        }
        let naive = NaiveMatcher(options: options)
        var hits = 0
        for _ in 0..<200 {
            let url = words.url()
            let parts = NaiveMatcher.split(url)
            let expected = routes.compactMap { route -> (rank: NaiveMatcher.Rank, identity: RouteIdentity)? in
                let ranks = route.pattern.variants.compactMap { naive.rank($0, priority: route.priority, parts) }
                return ranks.min().map { ($0, route.identity) }
            }.sorted { $0.rank < $1.rank }
            let found = table.matches(url)
            let patterns = routes.map(\.pattern.text)
            #expect(found.map(\.identity) == expected.map(\.identity), "\(url) with \(patterns)")
            #expect(table.match(url)?.identity == expected.first?.identity, "\(url) with \(patterns)")
            #expect(table.canOpen(url) == !expected.isEmpty)
            if !found.isEmpty { hits += 1 }
        }
        #expect(hits > 20)
    }
}
