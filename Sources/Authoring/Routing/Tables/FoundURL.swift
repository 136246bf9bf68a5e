import SystemSupport

/// A match of a URL, without the value that the table has for it.
@usableFromInline
struct FoundURL: Sendable {
    let url: String
    let entry: RouteSet.Entry
    let variant: Int
    let isAncestor: Bool
    let captures: Captures
    /// Where the path ends.
    let pathEnd: Int32
    let settings: RoutingSettings

    @usableFromInline var slot: Int { Int(entry.identity.slot) }

    @usableFromInline var pathValues: [(name: String, value: RouteValue)] {
        guard captures.count > 0 else { return [] }
        var values: [(name: String, value: RouteValue)] = []
        values.reserveCapacity(captures.count)
        forEachPlaceholder { values.append(($0, $1)) }
        return values
    }

    var rest: [String]? {
        var rest: [String]?
        forEachPlaceholder { _, value in
            if case .list(let components) = value { rest = components }
        }
        return rest
    }

    private func forEachPlaceholder(_ body: (String, RouteValue) -> Void) {
        let bytes = url.utf8Span.span
        let plusIsSpace = settings.options.plus == .isSpace
        var number = 0
        for element in entry.pattern.variants[variant].elements
        where element.placeholder != nil && number < captures.count {
            let range = captures[number]
            number += 1
            switch element {
            case .placeholder(let name, let type, _):
                let text = bytes.text(range, plusIsSpace: plusIsSpace)
                // What matched converts, so that only a converter that is not a function of the text can fail.
                body(name, type?.value(of: text, converters: settings.options.converters) ?? .text(text))
            case .rest(let name, true): body(name, .text(bytes.text(range, plusIsSpace: plusIsSpace)))
            case .rest(let name, false): body(name, .list(bytes.components(range, plusIsSpace: plusIsSpace)))
            case .literal, .fragment: break
            }
        }
    }

    @usableFromInline
    func queryValues() throws(RouteURLError) -> [(name: String, value: RouteValue)] {
        var values = MergedItems(settings.options.repeatedKeys)
        try forEachItem { values.add($0, $1) }
        return values.values
    }

    /// Calls `body` with the items of the query, decoded, then with those of the fragment if it has any. Those that the
    /// pattern has placeholders for have the names of the placeholders.
    func forEachItem(_ body: (_ name: String, _ value: String?) -> Void) throws(RouteURLError) {
        // The longest variant has all of them.
        let placeholders = entry.pattern.variants[0].query
        guard placeholders.isEmpty else {
            return try forEachWrittenItem { item, value in
                body(placeholders.first { $0.item.isExactly(item) }?.name ?? item, value)
            }
        }
        try forEachWrittenItem(body)
    }

    private func forEachWrittenItem(_ body: (_ name: String, _ value: String?) -> Void) throws(RouteURLError) {
        let bytes = url.utf8Span.span
        let split = SplitURL(bytes, afterPath: Int(pathEnd))
        var count = 0
        try bytes.forEachItem(split.query, settings.options, count: &count, body: body)
        guard let fragment = split.fragment else { return }
        if entry.pattern.variants[variant].elements.contains(.fragment) {
            try bytes.forEachItem(split.fragmentQuery(bytes), settings.options, count: &count, body: body)
        } else if settings.options.readsFragmentAsQuery, let fragment = bytes.query(inFragment: fragment) {
            try bytes.forEachItem(fragment, settings.options, count: &count, body: body)
        }
    }
}

extension Span<UInt8> {
    /// Returns the decoded components of a part; empty ones are left out.
    fileprivate func components(_ range: Range<Int>, plusIsSpace: Bool) -> [String] {
        var components: [String] = []
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start
            while end < range.upperBound, self[end] != UInt8(ascii: "/") { end += 1 }
            if start < end { components.append(text(start..<end, plusIsSpace: plusIsSpace)) }
            start = end + 1
        }
        return components
    }

    /// Returns the part of a fragment that has the form of a query: what follows `?`, or all of it if it has `=` and no
    /// slash before that.
    fileprivate func query(inFragment fragment: Range<Int>) -> Range<Int>? {
        var isPath = false
        for index in fragment {
            switch self[index] {
            case UInt8(ascii: "?"): return (index + 1)..<fragment.upperBound
            case UInt8(ascii: "=") where !isPath: return fragment
            case UInt8(ascii: "/"): isPath = true
            default: continue
            }
        }
        return nil
    }
}
