import ComponentHost
import ComponentKit
import HostControl
import Routing

/// Completes URLs and their parameters for the shell, from the routes of the components.
enum RouteCompletion {
    /// Completes a URL: each pattern up to its first placeholder.
    @Sendable static func urls(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        let routes = await NameCompletion.catalog(for: words).entries.flatMap(\.manifest.classes).flatMap(\.selectors)
            .flatMap(\.routes)
        let starts = routes.map { route in
            let pattern = route.pattern
            let body = pattern.firstRange(of: "://").map { pattern[$0.upperBound...] } ?? pattern[...]
            return String(pattern[..<(body.firstIndex { ":*<(#".contains($0) } ?? pattern.endIndex)])
        }
        return Set(starts.filter { !$0.isEmpty && $0.utf8.allSatisfy(isPlain) }).sorted()
    }

    /// Completes a key of the selector that the URL leads to.
    @Sendable static func parameters(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        guard ValueCompletion(words, index) == nil else { return [] }
        let selectors = await NameCompletion.catalog(for: words).entries.flatMap(\.manifest.classes)
            .flatMap(\.selectors)
        var table = RouteTable<SelectorDeclaration>()
        for selector in selectors {
            for route in selector.routes {
                if let pattern = try? RoutePattern(route.pattern) {
                    _ = try? table.add(pattern, priority: route.priority, selector)
                }
            }
        }
        guard let match = words.lazy.compactMap({ table.match($0) }).first else { return [] }
        let placed = Set(match.pattern.placeholders.map(\.name))
        return match.value.parameters.map(\.name).filter { !placed.contains($0) }.sorted().map { $0 + "=" }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_.-~:/+".utf8.contains(byte)
        }
    }
}
