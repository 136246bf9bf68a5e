import ComponentHost
import ComponentKit
import Routing
import Synchronization

/// The rows for tables of routes: all in one node, as a tree, and with placeholders.
enum RoutingRows {
    static func run(_ host: LinkHost) throws -> [Measurement] {
        let measured = try Measurement.run([1_000, 10_000].flatMap { try rows($0) } + changes() + opening(host))
        let count = misses.load(ordering: .relaxed)
        if count > 0 { print("\(count) URLs were not found") }
        return measured
    }

    /// URLs that were not found.
    private static let misses = Atomic<Int>(0)

    private static func rows(_ count: Int) throws -> [Row] {
        let goal = Goal.nanoseconds(count > 1_000 ? 1_500 : 1_000)
        let flat = (0..<count).map { "studio://route\($0)" }
        let tree = (0..<count).map { "studio://area\($0 % 40)/page\($0 / 40)" }
        let withValues = (0..<count).map { "studio://area\($0 % 40)/page\($0 / 40)/\($0)/of/somebody?from=bench" }
        return try [
            ("flat", flat, table(flat)), ("tree", tree, table(tree)),
            ("placeholders", withValues, table(tree.map { "\($0)/:id<int>/of/:name" })),
        ].flatMap { shape, urls, table in
            [
                Row("match-\(shape)-\(count)", "match, \(count) routes, \(shape)", count: 100_000, goal: goal) {
                    calls in
                    ask(urls, calls) { table.match($0) != nil }
                },
                Row("can-\(shape)-\(count)", "canOpen, \(count) routes, \(shape)", count: 100_000, goal: goal) {
                    calls in
                    ask(urls, calls) { table.canOpen($0) }
                },
            ]
        }
    }

    private static func table(_ patterns: [String]) throws -> RouteTable<Int> {
        var table = RouteTable<Int>()
        for (number, pattern) in patterns.enumerated() { try table.add(RoutePattern(pattern), number) }
        return table
    }

    /// Asks for the URLs in an order in which the caches help little.
    private static func ask(_ urls: [String], _ calls: Int, _ isFound: (String) -> Bool) {
        var place = 0
        for _ in 0..<calls {
            place = (place + 7) % urls.count
            if !isFound(urls[place]) { misses.add(1, ordering: .relaxed) }
        }
    }

    private static func changes() throws -> [Row] {
        let patterns = try (0..<10_000).map { try RoutePattern("studio://area\($0 % 40)/page\($0 / 40)/:id<int>") }
        var table = RouteTable<Int>()
        for (number, pattern) in patterns.enumerated() { try table.add(pattern, number) }
        let extra = try RoutePattern("studio://extra/:id")
        let full = table
        let published = Published(full)
        return [
            Row("build-10000", "build a table of 10,000 routes", count: 3, goal: .nanoseconds(50_000_000)) { calls in
                for _ in 0..<calls {
                    var table = RouteTable<Int>()
                    for (number, pattern) in patterns.enumerated() { try table.add(pattern, number) }
                    if table.count != 10_000 { misses.add(1, ordering: .relaxed) }
                }
            },
            Row("publish-10000", "copy it, add a route, publish it", count: 20, goal: .nanoseconds(1_000_000)) {
                calls in
                for _ in 0..<calls {
                    var copy = full
                    try copy.add(extra, -1)
                    published.table = copy
                }
                if !published.table.canOpen("studio://extra/1") { misses.add(1, ordering: .relaxed) }
            },
        ]
    }

    /// A call by name, and the same by URL.
    static func opening(_ host: LinkHost) -> [Row] {
        let byName = "typed call by name, three numbers"
        return [
            Row("routed", byName, count: 100_000) { calls in
                for index in 0..<calls {
                    _ = try host.callAndWait(
                        "BenchRouted", "sum", ["first": .int(Int64(index)), "second": 2, "third": 3])
                }
            },
            Row("open", "the same by URL with three query items", count: 100_000, goal: .above(byName, 1_000)) {
                calls in
                for _ in 0..<calls { _ = try host.openAndWait("bench://sum?first=1&second=2&third=3") }
            },
            Row("can-open", "canOpen of the host, a literal route", count: 100_000, goal: .nanoseconds(1_000)) {
                calls in
                for _ in 0..<calls where !host.canOpen("bench://sum") { misses.add(1, ordering: .relaxed) }
            },
        ]
    }

    /// Where a program would keep the table that it reads.
    private final class Published {
        var table: RouteTable<Int>

        init(_ table: RouteTable<Int>) { self.table = table }
    }
}
