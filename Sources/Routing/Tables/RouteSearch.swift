/// A place in the bytes of a URL that a placeholder stands for.
struct Capture {
    let start: Int32
    let end: Int32
}

/// The places that the placeholders of a route stand for, in their order. The first few are kept without memory of
/// their own.
struct Captures {
    private var first = InlineArray<8, Capture>(repeating: Capture(start: 0, end: 0))
    private var more: [Capture] = []
    private(set) var count = 0

    @inline(__always)
    subscript(index: Int) -> Range<Int> {
        let capture = index < 8 ? first[index] : more[index - 8]
        return Int(capture.start)..<Int(capture.end)
    }

    @inline(__always)
    mutating func append(_ range: Range<Int>) {
        let capture = Capture(start: Int32(range.lowerBound), end: Int32(range.upperBound))
        if count < 8 { first[count] = capture } else { more.append(capture) }
        count += 1
    }

    @inline(__always)
    mutating func removeLast() {
        count -= 1
        if count >= 8 { more.removeLast() }
    }
}

/// A route that matches.
struct FoundRoute {
    let route: Int32
    let variant: Int32
    let priority: Int
    let literals: Int32
    let captures: Captures
    /// Whether the URL goes on where the pattern does not.
    let isAncestor: Bool
}

/// A search for the routes of one URL.
struct RouteSearch {
    enum Wanted {
        /// The best one, without what it captures.
        case existence
        case best
        case all
    }

    private let index: RouteIndex
    private let wanted: Wanted
    private let prefersMostLiterals: Bool
    private let allowsAncestors: Bool
    private let plusIsSpace: Bool
    private let converters: [String: RoutingOptions.Converter]

    private var captures = Captures()
    private var components = URLComponents()
    private var fragment = URLComponents()
    private var hasFragment = false
    /// Whether the first component is the host.
    private var beginsWithHost = false

    /// All that were found, if all are wanted.
    private(set) var all: [FoundRoute] = []
    private(set) var best: FoundRoute?
    private var ancestor: FoundRoute?
    private var ancestorDepth = -1

    init(_ index: RouteIndex, _ wanted: Wanted, _ options: borrowing RoutingOptions) {
        self.index = index
        self.wanted = wanted
        prefersMostLiterals = options.preference == .mostLiterals
        allowsAncestors = options.unknownTail == .nearestAncestor
        plusIsSpace = options.plus == .isSpace
        converters = options.converters
    }

    /// Searches all that a URL may match: patterns of its scheme with a host, then those without, then those for any
    /// scheme.
    mutating func run(_ url: SplitURL, _ bytes: Span<UInt8>, _ options: borrowing RoutingOptions) {
        if let path = url.fragmentPath(bytes) {
            hasFragment = true
            fragment.append(path, of: bytes, plusIsSpace: plusIsSpace)
        }
        var schemeHasRoutes = false
        if let scheme = url.scheme {
            let hash = bytes.lowercasedHash(scheme, plusIsSpace: false)
            let withHost = index.child(of: RouteIndex.roots.hosts, hash: hash) { name in
                bytes.equalsIgnoringCase(scheme, name)
            }
            let withoutHost = index.child(of: RouteIndex.roots.schemes, hash: hash) { name in
                bytes.equalsIgnoringCase(scheme, name)
            }
            if withHost >= 0 {
                schemeHasRoutes = index.nodes[Int(withHost)].live > 0
                setComponents(url, bytes, hostIsComponent: true)
                visit(withHost, 0, bytes, isRoot: true)
                tryAncestor()
            }
            if withoutHost >= 0 {
                schemeHasRoutes = schemeHasRoutes || index.nodes[Int(withoutHost)].live > 0
                setComponents(url, bytes, hostIsComponent: Self.hostIsComponent(url, bytes, options.hosts))
                visit(withoutHost, 0, bytes, isRoot: true)
                tryAncestor()
            }
        }
        guard index.nodes[Int(RouteIndex.roots.anyScheme)].live > 0,
            !schemeHasRoutes || options.fallsBackToAnyScheme
        else { return }
        let hostIsComponent: Bool
        if options.sources.isEmpty {
            hostIsComponent = url.scheme == nil || Self.hostIsComponent(url, bytes, options.hosts)
        } else {
            guard let source = options.sources.first(where: { Self.matches($0, url, bytes) }) else { return }
            hostIsComponent = source.host == nil
        }
        setComponents(url, bytes, hostIsComponent: hostIsComponent)
        visit(RouteIndex.roots.anyScheme, 0, bytes, isRoot: true)
        tryAncestor()
    }

    private static func hostIsComponent(
        _ url: SplitURL, _ bytes: Span<UInt8>, _ hosts: RoutingOptions.Hosts
    ) -> Bool {
        switch hosts {
        case .component: true
        case .ignored: false
        case .componentUnlessDomain: !url.hostIsDomain(bytes)
        }
    }

    private static func matches(_ source: URLSource, _ url: SplitURL, _ bytes: Span<UInt8>) -> Bool {
        guard let scheme = url.scheme, bytes.equalsIgnoringCase(scheme, source.scheme) else { return false }
        guard let host = source.host else { return true }
        return bytes.equalsIgnoringCase(url.host, host)
    }

    private mutating func setComponents(_ url: SplitURL, _ bytes: Span<UInt8>, hostIsComponent: Bool) {
        components = URLComponents()
        beginsWithHost = hostIsComponent && !url.host.isEmpty
        if beginsWithHost { components.append(host: url.host, of: bytes) }
        components.append(url.path, of: bytes, plusIsSpace: plusIsSpace)
        ancestorDepth = -1
    }

    /// Takes the nearest ancestor if nothing has matched completely.
    private mutating func tryAncestor() {
        guard let ancestor, best == nil else { return }
        best = ancestor
        if wanted == .all { all.append(ancestor) }
        self.ancestor = nil
    }

    /// Visits a node that the first `depth` components lead to. A pattern has at most 64, which limits the recursion.
    private mutating func visit(_ node: Int32, _ depth: Int, _ bytes: Span<UInt8>, isRoot: Bool = false) {
        guard isWorthVisiting(node) else { return }
        let place = index.nodes[Int(node)]
        guard depth < components.count else {
            if hasFragment, place.fragment >= 0 { visitFragment(place.fragment, 0, bytes) }
            report(place.endings)
            if place.rests >= 0 { reportRest(place.rests, bytes, from: 0..<0) }
            return
        }
        let component = components[depth]
        let range = Int(component.start)..<Int(component.end)
        if place.hasLiterals {
            let child = literalChild(node, component, range, bytes, isRoot: isRoot)
            if child >= 0 { visit(child, depth + 1, bytes) }
        }
        var next = place.placeholders
        while next >= 0 {
            let edge = index.placeholders[Int(next)]
            if let value = value(of: edge, range, bytes) {
                captures.append(value)
                visit(edge.child, depth + 1, bytes)
                captures.removeLast()
            }
            next = edge.next
        }
        if place.paths >= 0 || place.rests >= 0 {
            let rest = range.lowerBound..<Int(components[components.count - 1].end)
            if place.paths >= 0 { reportRest(place.paths, bytes, from: rest) }
            if place.rests >= 0 { reportRest(place.rests, bytes, from: rest) }
        }
        if allowsAncestors, depth > 0 || node > RouteIndex.roots.anyScheme { noteAncestor(place.endings, depth) }
    }

    /// Visits a node behind `#`.
    private mutating func visitFragment(_ node: Int32, _ depth: Int, _ bytes: Span<UInt8>) {
        guard isWorthVisiting(node) else { return }
        let place = index.nodes[Int(node)]
        guard depth < fragment.count else {
            report(place.endings)
            if place.rests >= 0 { reportRest(place.rests, bytes, from: 0..<0) }
            return
        }
        let component = fragment[depth]
        let range = Int(component.start)..<Int(component.end)
        if place.hasLiterals {
            let child = index.child(of: node, hash: component.hash) { literal in
                bytes.equals(range, literal, plusIsSpace: plusIsSpace)
            }
            if child >= 0 { visitFragment(child, depth + 1, bytes) }
        }
        var next = place.placeholders
        while next >= 0 {
            let edge = index.placeholders[Int(next)]
            if let value = value(of: edge, range, bytes) {
                captures.append(value)
                visitFragment(edge.child, depth + 1, bytes)
                captures.removeLast()
            }
            next = edge.next
        }
        if place.paths >= 0 || place.rests >= 0 {
            let rest = range.lowerBound..<Int(fragment[fragment.count - 1].end)
            if place.paths >= 0 { reportRest(place.paths, bytes, from: rest) }
            if place.rests >= 0 { reportRest(place.rests, bytes, from: rest) }
        }
    }

    /// Whether something below a node may be better than what was found.
    private func isWorthVisiting(_ node: Int32) -> Bool {
        guard index.nodes[Int(node)].live > 0 else { return false }
        guard wanted != .all, let best else { return true }
        let limit = index.nodes[Int(node)].priorityLimit
        return prefersMostLiterals ? limit >= best.priority : limit > best.priority
    }

    private func literalChild(
        _ node: Int32, _ component: SplitURL.Component, _ range: Range<Int>, _ bytes: Span<UInt8>, isRoot: Bool
    ) -> Int32 {
        guard isRoot else {
            return index.child(of: node, hash: component.hash) { literal in
                bytes.equals(range, literal, plusIsSpace: plusIsSpace)
            }
        }
        // Here literals have the hash of their lower case. A host that is written as one of them is that one.
        let isHost = beginsWithHost
        let hash = isHost ? component.hash : bytes.lowercasedHash(range, plusIsSpace: plusIsSpace)
        let exact = index.child(of: node, hash: hash) { literal in
            bytes.equals(range, literal, plusIsSpace: plusIsSpace && !isHost)
        }
        guard exact < 0, isHost else { return exact }
        return index.child(of: node, hash: hash) { literal in bytes.equalsIgnoringCase(range, literal) }
    }

    /// Returns the part of a component that a placeholder stands for; nil if it does not match.
    private func value(of edge: RouteIndex.PlaceholderEdge, _ range: Range<Int>, _ bytes: Span<UInt8>) -> Range<Int>? {
        var range = range
        if !edge.suffix.isEmpty {
            guard let end = bytes.end(of: range, withoutSuffix: edge.suffix, plusIsSpace: plusIsSpace) else {
                return nil
            }
            range = range.lowerBound..<end
        }
        guard edge.type != .string else { return range }
        let text = bytes.text(range, plusIsSpace: plusIsSpace)
        return edge.type.value(of: text, converters: converters) == nil ? nil : range
    }

    private mutating func noteAncestor(_ first: Int32, _ depth: Int) {
        guard first >= 0, depth > ancestorDepth else { return }
        ancestorDepth = depth
        ancestor = found(index.endings[Int(first)], isAncestor: true)
    }

    private mutating func reportRest(_ first: Int32, _ bytes: Span<UInt8>, from rest: Range<Int>) {
        captures.append(rest)
        report(first)
        captures.removeLast()
    }

    private mutating func report(_ first: Int32) {
        var next = first
        while next >= 0 {
            let ending = index.endings[Int(next)]
            if wanted == .all { all.append(found(ending)) }
            if isBetter(ending) { best = found(ending) }
            guard wanted == .all else { return }
            next = ending.next
        }
    }

    private func isBetter(_ ending: RouteIndex.Ending) -> Bool {
        guard let best else { return true }
        if ending.priority != best.priority { return ending.priority > best.priority }
        return prefersMostLiterals && ending.literals > best.literals
    }

    private func found(_ ending: RouteIndex.Ending, isAncestor: Bool = false) -> FoundRoute {
        FoundRoute(
            route: ending.route, variant: ending.variant, priority: ending.priority, literals: ending.literals,
            captures: captures, isAncestor: isAncestor)
    }
}

extension Span<UInt8> {
    /// Returns where a part ends without a suffix; nil if it does not end in it, or nothing is left.
    func end(of range: Range<Int>, withoutSuffix suffix: [UInt8], plusIsSpace: Bool) -> Int? {
        // Each byte of the suffix is one byte of the URL, or three that encode it.
        var end = range.upperBound
        for byte in suffix.reversed() {
            guard end > range.lowerBound else { return nil }
            var start = end - 1
            if end - 3 >= range.lowerBound, self[end - 3] == UInt8(ascii: "%"), Bytes.hexadecimal(self[end - 2]) != nil,
                Bytes.hexadecimal(self[end - 1]) != nil
            {
                start = end - 3
            }
            var decoder = PercentDecoder(start..<end, plusIsSpace: plusIsSpace)
            guard decoder.next(self) == byte else { return nil }
            end = start
        }
        return end > range.lowerBound ? end : nil
    }
}
