/// The parts of a URL that the placeholders of a route stand for, in their order. The first few are kept without memory
/// of their own.
struct Captures {
    private struct Capture {
        let start: Int32
        let end: Int32
    }

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
    let ending: RouteIndex.Ending
    let captures: Captures
    /// Whether the URL continues after the pattern.
    let isAncestor: Bool
}

/// A search for the routes of one URL.
struct RouteSearch {
    enum Wanted {
        /// Whether there is any.
        case existence
        case best
        case all
    }

    private let wanted: Wanted
    private let prefersMostLiterals: Bool
    private let allowsAncestors: Bool
    private let plusIsSpace: Bool

    private var captures = Captures()
    /// The host, also if it is empty, then the components of the path.
    private var components = URLComponents()
    private var fragment: URLComponents?
    /// 0 if the host is the first component, otherwise 1.
    private var firstComponent = 1

    /// All that were found, if all are wanted, in the order of the tree.
    private(set) var all: [FoundRoute] = []
    private(set) var best: FoundRoute?
    private var ancestor: FoundRoute?
    /// Where the part of the URL ends that the ancestor matches.
    private var ancestorEnd = -1

    init(_ wanted: Wanted, _ options: RoutingOptions) {
        self.wanted = wanted
        prefersMostLiterals = options.preference == .mostLiterals
        allowsAncestors = options.unknownTail == .nearestAncestor
        plusIsSpace = options.plus == .isSpace
    }

    /// Searches everything that a URL may match: patterns of its scheme with a host, then those without, then those for
    /// any scheme.
    mutating func run(_ index: RouteIndex, _ url: SplitURL, bytes: Span<UInt8>, options: RoutingOptions) {
        components.append(host: url.host, of: bytes)
        components.append(url.path, of: bytes)
        if let path = url.fragmentPath(bytes) {
            var fragment = URLComponents()
            fragment.append(path, of: bytes)
            self.fragment = fragment
        }
        var schemeHasRoutes = false
        if let scheme = url.scheme {
            let hash = bytes.lowercasedHash(scheme)
            for root in RouteIndex.roots.hosts...RouteIndex.roots.schemes {
                let node = index.child(of: root, hash: hash) { name in
                    bytes.equalsIgnoringCase(scheme, index.literals.span, at: name)
                }
                guard node >= 0, index.nodes[Int(node)].live > 0 else { continue }
                schemeHasRoutes = true
                let hostIsComponent = root == RouteIndex.roots.hosts || url.hostIsComponent(bytes, options.hosts)
                visitRoot(
                    node, in: index, bytes: bytes, options: options,
                    hostIsComponent: hostIsComponent && !url.host.isEmpty)
            }
        }
        if !schemeHasRoutes || options.fallsBackToAnyScheme,
            let hostIsComponent = url.hostIsComponentForAnyScheme(bytes, options)
        {
            visitRoot(
                RouteIndex.roots.anyScheme, in: index, bytes: bytes, options: options,
                hostIsComponent: hostIsComponent && !url.host.isEmpty)
        }
        // An ancestor matches only if nothing matches completely.
        if best == nil, let ancestor {
            best = ancestor
            if wanted == .all { all.append(ancestor) }
        }
    }

    private mutating func visitRoot(
        _ node: Int32, in index: RouteIndex, bytes: Span<UInt8>, options: RoutingOptions, hostIsComponent: Bool
    ) {
        firstComponent = hostIsComponent ? 0 : 1
        visit(node, depth: 0, in: index, bytes: bytes, options: options)
    }

    /// Visits a node that the first `depth` components lead to. A pattern has at most 64, which limits the recursion.
    private mutating func visit(
        _ node: Int32, depth: Int, in index: RouteIndex, bytes: Span<UInt8>, options: RoutingOptions
    ) {
        let place = index.nodes[Int(node)]
        guard isWorthVisiting(place) else { return }
        let number = firstComponent + depth
        guard number < components.count else {
            if let fragment, place.fragment >= 0 {
                visitFragment(place.fragment, fragment, depth: 0, in: index, bytes: bytes, options: options)
            }
            report(place.endings, index)
            if place.rests >= 0 { reportRest(place.rests, index, from: 0..<0) }
            return
        }
        let component = components[number]
        if place.hasLiterals {
            if depth == 0 {
                visitFirstLiterals(
                    node, component, isHost: number == 0, in: index, bytes: bytes, options: options)
            } else {
                let child = index.child(of: node, hash: component.hash) { literal in
                    bytes.equals(component.range, isPlain: component.isPlain, other: index.literals.span, at: literal)
                }
                if child >= 0 { visit(child, depth: depth + 1, in: index, bytes: bytes, options: options) }
            }
        }
        var next = place.placeholders
        while next >= 0 {
            let edge = index.placeholders[Int(next)]
            if let value = value(of: edge, at: component.range, in: index, bytes: bytes, options: options) {
                captures.append(value)
                visit(edge.child, depth: depth + 1, in: index, bytes: bytes, options: options)
                captures.removeLast()
            }
            next = edge.next
        }
        let rest = component.range.lowerBound..<max(component.range.upperBound, components.end)
        if place.paths >= 0 { reportRest(place.paths, index, from: rest) }
        if place.rests >= 0 { reportRest(place.rests, index, from: rest) }
        if allowsAncestors, place.endings >= 0, depth > 0 || node != RouteIndex.roots.anyScheme {
            noteAncestor(place.endings, index, end: depth == 0 ? 0 : components[number - 1].range.upperBound)
        }
    }

    /// Visits the literals after a root, whose hashes are those of their lower case. A host matches them without regard
    /// to case, first the one that is written the same.
    private mutating func visitFirstLiterals(
        _ node: Int32, _ component: SplitURL.Component, isHost: Bool, in index: RouteIndex, bytes: Span<UInt8>,
        options: RoutingOptions
    ) {
        let hash = isHost ? component.hash : bytes.lowercasedHash(component.range)
        let exact = index.child(of: node, hash: hash) { literal in
            bytes.equals(component.range, isPlain: component.isPlain, other: index.literals.span, at: literal)
        }
        if exact >= 0 { visit(exact, depth: 1, in: index, bytes: bytes, options: options) }
        guard isHost else { return }
        var previous: Int32?
        while let child = index.child(
            of: node, hash: hash, after: previous,
            where: { bytes.equalsIgnoringCase(component.range, index.literals.span, at: $0) })
        {
            if child != exact { visit(child, depth: 1, in: index, bytes: bytes, options: options) }
            previous = child
        }
    }

    /// Visits a node after `#`.
    private mutating func visitFragment(
        _ node: Int32, _ fragment: URLComponents, depth: Int, in index: RouteIndex, bytes: Span<UInt8>,
        options: RoutingOptions
    ) {
        let place = index.nodes[Int(node)]
        guard isWorthVisiting(place) else { return }
        guard depth < fragment.count else {
            report(place.endings, index)
            if place.rests >= 0 { reportRest(place.rests, index, from: 0..<0) }
            return
        }
        let component = fragment[depth]
        if place.hasLiterals {
            let child = index.child(of: node, hash: component.hash) { literal in
                bytes.equals(component.range, isPlain: component.isPlain, other: index.literals.span, at: literal)
            }
            if child >= 0 {
                visitFragment(child, fragment, depth: depth + 1, in: index, bytes: bytes, options: options)
            }
        }
        var next = place.placeholders
        while next >= 0 {
            let edge = index.placeholders[Int(next)]
            if let value = value(of: edge, at: component.range, in: index, bytes: bytes, options: options) {
                captures.append(value)
                visitFragment(edge.child, fragment, depth: depth + 1, in: index, bytes: bytes, options: options)
                captures.removeLast()
            }
            next = edge.next
        }
        let rest = component.range.lowerBound..<fragment.end
        if place.paths >= 0 { reportRest(place.paths, index, from: rest) }
        if place.rests >= 0 { reportRest(place.rests, index, from: rest) }
    }

    /// Whether a route below a node may be better than the best so far.
    @inline(__always)
    private func isWorthVisiting(_ node: RouteIndex.Node) -> Bool {
        guard node.live > 0 else { return false }
        guard wanted != .all, let best else { return true }
        guard wanted == .best else { return false }
        return prefersMostLiterals
            ? node.priorityLimit >= best.ending.priority : node.priorityLimit > best.ending.priority
    }

    /// Returns the part of a component that a placeholder stands for; nil if it does not match.
    @inline(__always)
    private func value(
        of edge: RouteIndex.PlaceholderEdge, at range: Range<Int>, in index: RouteIndex, bytes: Span<UInt8>,
        options: RoutingOptions
    ) -> Range<Int>? {
        var range = range
        if !edge.suffix.isEmpty {
            guard let end = bytes.end(of: range, withoutSuffix: index.literals.span, edge.suffix) else { return nil }
            range = range.lowerBound..<end
        }
        guard edge.rank != ValueType.stringRank else { return range }
        if edge.rank == ValueType.intRank || edge.rank == ValueType.uintRank, bytes.isShortNumber(range) {
            return range
        }
        let text = bytes.text(range, plusIsSpace: plusIsSpace)
        return index.type(of: edge).value(of: text, converters: options.converters) == nil ? nil : range
    }

    private mutating func noteAncestor(_ first: Int32, _ index: RouteIndex, end: Int) {
        guard end > ancestorEnd else { return }
        ancestorEnd = end
        ancestor = FoundRoute(ending: index.endings[Int(first)], captures: captures, isAncestor: true)
    }

    private mutating func reportRest(_ first: Int32, _ index: RouteIndex, from rest: Range<Int>) {
        captures.append(rest)
        report(first, index)
        captures.removeLast()
    }

    private mutating func report(_ first: Int32, _ index: RouteIndex) {
        var next = first
        while next >= 0 {
            let ending = index.endings[Int(next)]
            if isBetter(ending) { best = FoundRoute(ending: ending, captures: captures, isAncestor: false) }
            guard wanted == .all else { return }
            all.append(FoundRoute(ending: ending, captures: captures, isAncestor: false))
            next = ending.next
        }
    }

    private func isBetter(_ ending: RouteIndex.Ending) -> Bool {
        guard let best else { return true }
        if ending.priority != best.ending.priority { return ending.priority > best.ending.priority }
        return prefersMostLiterals && ending.literals > best.ending.literals
    }
}

extension SplitURL {
    func hostIsComponent(_ bytes: Span<UInt8>, _ hosts: RoutingOptions.Hosts) -> Bool {
        switch hosts {
        case .component: true
        case .ignored: false
        case .componentUnlessDomain: !hostIsDomain(bytes)
        }
    }

    /// Whether the host is a component for patterns without a scheme; nil if these are not valid for the URL.
    func hostIsComponentForAnyScheme(_ bytes: Span<UInt8>, _ options: RoutingOptions) -> Bool? {
        guard !options.sources.isEmpty else { return hostIsComponent(bytes, options.hosts) }
        guard let scheme else { return nil }
        var isComponent: Bool?
        for source in options.sources where bytes.equalsIgnoringCase(scheme, source.scheme) {
            // A source with this host is more specific than one for any host.
            guard let host = source.host else {
                isComponent = true
                continue
            }
            if bytes.equalsIgnoringCase(self.host, host) { return false }
        }
        return isComponent
    }
}

extension Span<UInt8> {
    /// Whether a part is a number of so few digits that it surely is a value of the types for whole numbers. Most
    /// numbers are, and need no text to tell.
    @inline(__always)
    fileprivate func isShortNumber(_ range: Range<Int>) -> Bool {
        guard range.count <= 18 else { return false }
        for index in range where !Bytes.isDigit(self[index]) { return false }
        return true
    }

    /// Returns where a part ends without a suffix; nil if it does not end in it, or nothing is left.
    func end(of range: Range<Int>, withoutSuffix other: Span<UInt8>, _ suffix: Range<Int>) -> Int? {
        // Each byte of the suffix is one byte of the URL, or three that encode it.
        var end = range.upperBound
        for index in suffix.reversed() {
            guard end > range.lowerBound else { return nil }
            var start = end - 1
            if end - 3 >= range.lowerBound, self[end - 3] == UInt8(ascii: "%"), Bytes.hexadecimal(self[end - 2]) != nil,
                Bytes.hexadecimal(self[end - 1]) != nil
            {
                start = end - 3
            }
            var decoder = PercentDecoder(start..<end, plusIsSpace: false)
            guard decoder.next(self) == other[index] else { return nil }
            end = start
        }
        return end > range.lowerBound ? end : nil
    }
}
