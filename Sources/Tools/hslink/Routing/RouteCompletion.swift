import ArgumentParser
import ComponentHost
import HostControl
import Routing
import SystemSupport

/// Completes URLs and their parameters for the shell, from the routes of the components.
///
/// Bash splits words at colons (COMP_WORDBREAKS), so it takes what follows the scheme of a URL for further arguments.
enum RouteCompletion {
    /// Completes a URL: each pattern up to its first placeholder.
    @Sendable static func urls(_ words: [String], _ index: Int, prefix: String) async -> [String] {
        let routes = await NameCompletion.classes(for: words).flatMap(\.selectors).flatMap(\.routes)
        let starts = routes.map { route in
            let pattern = route.pattern
            let body = pattern.firstRange(of: "://").map { pattern[$0.upperBound...] } ?? pattern[...]
            return String(pattern[..<(body.firstIndex { ":*<(#".contains($0) } ?? pattern.endIndex)])
        }
        // The shell would replace a tilde at the beginning.
        let plain = Set(starts.filter { !$0.isEmpty && !$0.hasPrefix("~") && $0.utf8.allSatisfy(isPlain) }).sorted()
        // Bash replaces only what follows the colon.
        let scheme = scheme(before: index, of: words)
        return plain.compactMap { url in
            guard let scheme else { return url }
            return url.hasPrefix(scheme) ? String(url.dropFirst(scheme.count)) : nil
        }.map(quoted)
    }

    /// Completes a key of the selector that the URL leads to, and values as `hslink call` does.
    @Sendable static func parameters(_ words: [String], _ index: Int, prefix: String) async -> [String] {
        if scheme(before: index, of: words) != nil { return await urls(words, index, prefix: prefix) }
        guard let url = url(in: words) else { return [] }
        let selectors = await NameCompletion.classes(for: words).flatMap(\.selectors)
        var table = RouteTable<SelectorDeclaration>()
        for selector in selectors {
            for route in selector.routes {
                if let pattern = try? RoutePattern(route.pattern) {
                    _ = try? table.add(pattern, priority: route.priority, selector)
                }
            }
        }
        guard let match = table.match(url) else { return [] }
        let placed = match.pattern.placeholders.map(\.name)
        let parameters = match.value.parameters.filter { !placed.containsExactly($0.name) }
        guard let value = ValueCompletion(words, index) else {
            return NameCompletion.plain(parameters.map(\.name)).map { $0 + "=" }
        }
        guard let type = parameters.first(where: { $0.name.isExactly(value.key) })?.type else { return [] }
        return value.completions(takesFileName: ValueArgument.isText(type))
    }

    /// Returns the scheme of the URL whose later part is completed, with its colon, if the shell has split it there.
    private static func scheme(before index: Int, of words: [String]) -> String? {
        guard words.indices.contains(index) else { return nil }
        let colon = words[index] == ":" ? index : index - 1
        guard colon > 0, words[colon] == ":" else { return nil }
        return words[colon - 1] + ":"
    }

    /// Returns the URL on the command line: the first argument of `hslink open`.
    private static func url(in words: [String]) -> String? {
        guard let command = words.firstIndex(of: "open") else { return nil }
        var index = command + 1
        while words.indices.contains(index), words[index].hasPrefix("-") {
            index += optionsWithValue.contains(words[index]) ? 2 : 1
        }
        guard words.indices.contains(index) else { return nil }
        var url = words[index]
        while words.indices.contains(index + 2), words[index + 1] == ":" {
            url += ":" + words[index + 2]
            index += 2
        }
        return url.filter { !"'\"\\".contains($0) }
    }

    private static let optionsWithValue: Set = [
        "--plugins", "--host", "--data", "--cache", "--remote", "--deadline", "--timeout", "--log-level", "--config",
        "--secrets", "--set", "--environment",
    ]

    /// Returns the URL as the shell's completion script expects it. The zsh script takes text after a colon for a
    /// description.
    private static func quoted(_ url: String) -> String {
        CompletionShell.requesting == .zsh ? url.replacing(":", with: "\\:") : url
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigitInASCII || "_.-~:/+".utf8.contains(byte)
    }
}
