@testable import Routing

/// Matches one URL against one variant of a pattern in the obvious way, with texts instead of an index.
struct NaiveMatcher {
    let options: RoutingOptions

    typealias Parts = (scheme: String?, host: String, path: [String], fragment: [String]?)

    /// What decides between two variants that match: smaller is better.
    struct Rank: Comparable {
        var values: [Int]

        static func < (one: Rank, other: Rank) -> Bool { one.values.lexicographicallyPrecedes(other.values) }
    }

    /// Returns the rank of a variant; nil if it does not match.
    func rank(_ variant: PatternVariant, priority: Int, _ parts: Parts) -> Rank? {
        let includesHost: Bool
        var rank = [-priority]
        if options.preference == .mostLiterals { rank.append(-variant.literalCount) }
        if let scheme = variant.scheme {
            guard scheme == parts.scheme else { return nil }
            rank.append(variant.beginsWithHost ? 0 : 1)
        } else {
            rank.append(2)
        }
        let isDomain = parts.host.contains(".") || parts.host.contains(":") || parts.host == "localhost"
        switch options.hosts {
        case _ where variant.beginsWithHost: includesHost = true
        case .component: includesHost = true
        case .ignored: includesHost = false
        case .componentUnlessDomain: includesHost = !isDomain
        }
        let hasHost = includesHost && !parts.host.isEmpty
        let components = (hasHost ? [parts.host] : []) + parts.path
        var elements = variant.elements[...]
        guard let path = compare(&elements, components, hasHost: hasHost) else { return nil }
        rank += path
        guard elements.first == .fragment else {
            // A pattern that ends here comes after one that continues in the fragment, and before one with "*".
            return elements.isEmpty ? Rank(values: rank) : nil
        }
        elements.removeFirst()
        guard let fragment = parts.fragment, let found = compare(&elements, fragment, hasHost: false),
            elements.isEmpty
        else { return nil }
        return Rank(values: rank.dropLast() + [-1] + found)
    }

    /// Takes elements up to a fragment, and returns their ranks; nil if they do not match the components.
    private func compare(_ elements: inout ArraySlice<PatternElement>, _ components: [String], hasHost: Bool) -> [Int]?
    {
        var ranks: [Int] = []
        var rest = components[...]
        while let element = elements.first {
            switch element {
            case .fragment: return rest.isEmpty ? ranks + [0] : nil
            case .literal(let bytes):
                let isHost = hasHost && ranks.isEmpty
                guard let component = rest.popFirst() else { return nil }
                let literal = String(decoding: bytes, as: UTF8.self)
                if literal == component {
                    ranks.append(0)
                } else if isHost, literal.lowercased() == component.lowercased() {
                    ranks.append(1)
                } else {
                    return nil
                }
            case .placeholder(_, let type, let suffix):
                guard let component = rest.popFirst() else { return nil }
                let suffix = String(decoding: suffix, as: UTF8.self)
                guard component.hasSuffix(suffix), component.count > suffix.count else { return nil }
                let type = type ?? .string
                guard type.value(of: String(component.dropLast(suffix.count))) != nil else { return nil }
                ranks.append(100 + 20 * Int(type.rank) - suffix.count)
            case .rest(_, let isPath):
                guard !isPath || !rest.isEmpty else { return nil }
                elements.removeFirst()
                return ranks + [isPath ? 1_000 : 1_001]
            }
            elements.removeFirst()
        }
        return rest.isEmpty ? ranks + [0] : nil
    }

    /// Splits and decodes a URL whose only unusual characters are those of the test.
    static func split(_ url: String) -> Parts {
        let halves = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        var text = String(halves[0].prefix { $0 != "?" })
        var scheme: String?
        var host = ""
        if let end = text.firstRange(of: "://") {
            scheme = text[..<end.lowerBound].lowercased()
            text = String(text[end.upperBound...])
            host = String(text.prefix { $0 != "/" })
            text = String(text.dropFirst(host.count))
        } else if let colon = text.firstIndex(of: ":"), !text[..<colon].contains("/") {
            scheme = text[..<colon].lowercased()
            text = String(text[text.index(after: colon)...])
        }
        let fragment = halves.count > 1 ? components(String(halves[1].prefix { $0 != "?" })) : nil
        return (scheme, decoded(host), components(text), fragment)
    }

    private static func components(_ path: String) -> [String] {
        path.split(separator: "/").map { decoded(String($0)) }
    }

    private static func decoded(_ text: String) -> String {
        text.split(separator: "%61", omittingEmptySubsequences: false).joined(separator: "a")
            .split(separator: "%2F", omittingEmptySubsequences: false).joined(separator: "/")
    }
}

/// A generator of numbers that always makes the same ones: xorshift64*.
struct FixedGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 2_685_821_657_736_338_717
    }
}
