/// The tree of a route table: one node for each beginning of a pattern.
///
/// It consists of a few arrays without references, so that a copy costs little: a table is changed by copying it.
/// One hash table has the literal components of all nodes; the few placeholders of a node are in a list, best first.
struct RouteIndex: Sendable {
    /// A place where patterns begin, continue or end.
    struct Node {
        /// -1 for a root.
        let parent: Int32
        /// The literal that leads here from the parent; empty if it is not a literal.
        fileprivate let textStart: Int32
        fileprivate let textEnd: Int32
        /// The first of its placeholders; -1 for none.
        var placeholders: Int32 = -1
        /// The first of the routes that end here, highest priority first; -1 for none.
        fileprivate(set) var endings: Int32 = -1
        /// The same for routes that end in `*` after this node.
        fileprivate(set) var rests: Int32 = -1
        /// The same for routes that end in a path after this node.
        fileprivate(set) var paths: Int32 = -1
        /// The node after `#`; -1 for none.
        var fragment: Int32 = -1
        /// The number of routes that end here or further down.
        var live: Int32 = 0
        var hasLiterals = false
        /// No route that ends here or further down has a higher one. After a removal it may be too high.
        var priorityLimit = Int.min

        fileprivate init(parent: Int32, text: (start: Int32, end: Int32) = (0, 0)) {
            self.parent = parent
            (textStart, textEnd) = text
        }

        /// In the literals of the index.
        @inline(__always)
        fileprivate var text: Range<Int> { Int(textStart)..<Int(textEnd) }

        fileprivate subscript(list: List) -> Int32 {
            get {
                switch list {
                case .endings: endings
                case .rests: rests
                case .paths: paths
                }
            }
            set {
                switch list {
                case .endings: endings = newValue
                case .rests: rests = newValue
                case .paths: paths = newValue
                }
            }
        }
    }

    /// The list of a node in which a variant ends.
    fileprivate enum List { case endings, rests, paths }

    /// A placeholder after a node.
    struct PlaceholderEdge {
        fileprivate(set) var next: Int32
        let child: Int32
        let rank: UInt8
        /// The number of a custom type; -1 for others.
        let custom: Int32
        fileprivate let suffixStart: Int32
        fileprivate let suffixEnd: Int32

        /// In the literals of the index.
        @inline(__always)
        var suffix: Range<Int> { Int(suffixStart)..<Int(suffixEnd) }
    }

    /// A route that ends at a node.
    struct Ending {
        fileprivate(set) var next: Int32
        let route: Int32
        let variant: Int32
        /// The number of literal components.
        let literals: Int32
        let priority: Int
    }

    /// A literal component after a node. `child` is -1 in a free place. The rest of it is in the child, which a search
    /// reads next anyway.
    private struct LiteralEdge {
        var hash: UInt32 = 0
        var child: Int32 = -1
    }

    /// The roots are followed by the schemes of patterns that begin with a host, the schemes of patterns that do not,
    /// and the components of patterns without a scheme.
    static let roots = (hosts: Int32(0), schemes: Int32(1), anyScheme: Int32(2))

    private(set) var nodes = [Node(parent: -1), Node(parent: -1), Node(parent: -1)]
    private(set) var placeholders: [PlaceholderEdge] = []
    private(set) var endings: [Ending] = []
    /// The names of the custom types.
    private(set) var customTypes: [String] = []
    /// The bytes of literals and suffixes.
    private(set) var literals: [UInt8] = []
    private var edges = [LiteralEdge](repeating: LiteralEdge(), count: 16)
    private var edgeCount = 0

    // MARK: Finding

    /// Finds the node after a literal.
    ///
    /// - Parameter matches: whether the bytes of an edge with the same hash are the ones that are looked for.
    @inline(__always)
    func child(of parent: Int32, hash: UInt32, where matches: (_ literal: Range<Int>) -> Bool) -> Int32 {
        let mask = edges.count - 1
        var place = Self.place(parent, hash) & mask
        while edges[place].child >= 0 {
            let edge = edges[place]
            if edge.hash == hash, nodes[Int(edge.child)].parent == parent, matches(nodes[Int(edge.child)].text) {
                return edge.child
            }
            place = (place + 1) & mask
        }
        return -1
    }

    /// Finds the nodes after literals with one hash, in the order of their bytes: the first one after `previous`.
    func child(
        of parent: Int32, hash: UInt32, after previous: Int32?, where matches: (_ literal: Range<Int>) -> Bool
    ) -> Int32? {
        var best: Int32?
        let mask = edges.count - 1
        var place = Self.place(parent, hash) & mask
        while edges[place].child >= 0 {
            let edge = edges[place]
            if edge.hash == hash, nodes[Int(edge.child)].parent == parent,
                previous.map({ precedes($0, edge.child) }) ?? true, best.map({ precedes(edge.child, $0) }) ?? true,
                matches(nodes[Int(edge.child)].text)
            {
                best = edge.child
            }
            place = (place + 1) & mask
        }
        return best
    }

    /// Whether the literal of one node comes before that of another.
    private func precedes(_ one: Int32, _ other: Int32) -> Bool {
        literals[nodes[Int(one)].text].lexicographicallyPrecedes(literals[nodes[Int(other)].text])
    }

    @inline(__always)
    private static func place(_ parent: Int32, _ hash: UInt32) -> Int {
        let mixed = (UInt64(hash) | UInt64(UInt32(bitPattern: parent)) << 32) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 32)
    }

    /// Returns the routes that have a variant which matches exactly what this one does, highest priority first.
    func endings(like variant: PatternVariant) -> [Ending] {
        guard let (node, list) = find(variant) else { return [] }
        var found: [Ending] = []
        var next = nodes[Int(node)][list]
        while next >= 0 {
            found.append(endings[Int(next)])
            next = endings[Int(next)].next
        }
        return found
    }

    private func find(_ variant: PatternVariant) -> (node: Int32, list: List)? {
        var node = Self.roots.anyScheme
        if let scheme = variant.scheme {
            node = literal(Array(scheme.utf8), after: Self.root(variant), hash: ByteHash.of(scheme.utf8))
        }
        for (index, element) in variant.elements.enumerated() {
            guard node >= 0 else { return nil }
            switch element {
            case .literal(let bytes): node = literal(bytes, after: node, hash: Self.hash(bytes, isFirst: index == 0))
            case .placeholder(_, let type, let suffix):
                node = placeholder(type ?? .string, suffix, after: node).map { placeholders[Int($0)].child } ?? -1
            case .fragment: node = nodes[Int(node)].fragment
            case .rest(_, let isPath): return (node, isPath ? .paths : .rests)
            }
        }
        return node < 0 ? nil : (node, .endings)
    }

    private static func root(_ variant: PatternVariant) -> Int32 {
        variant.beginsWithHost ? roots.hosts : roots.schemes
    }

    /// The first component of a pattern may be compared with a host, whose case does not matter.
    private static func hash(_ literal: [UInt8], isFirst: Bool) -> UInt32 {
        isFirst ? ByteHash.of(literal.map(Bytes.lowercased)) : ByteHash.of(literal)
    }

    private func literal(_ bytes: [UInt8], after parent: Int32, hash: UInt32) -> Int32 {
        child(of: parent, hash: hash) { literals[$0].elementsEqual(bytes) }
    }

    private func placeholder(_ type: ValueType, _ suffix: [UInt8], after parent: Int32) -> Int32? {
        var next = nodes[Int(parent)].placeholders
        while next >= 0 {
            if self.type(of: placeholders[Int(next)]) == type,
                literals[placeholders[Int(next)].suffix].elementsEqual(suffix)
            {
                return next
            }
            next = placeholders[Int(next)].next
        }
        return nil
    }

    /// Returns the type of the values of a placeholder.
    func type(of edge: PlaceholderEdge) -> ValueType {
        edge.custom >= 0 ? .custom(customTypes[Int(edge.custom)]) : ValueType.builtIn[Int(edge.rank)]
    }

    // MARK: Changing

    /// Adds a variant of a route.
    mutating func add(_ variant: PatternVariant, number: Int, of route: Int32, priority: Int) {
        let (last, list) = make(variant)
        var node = last
        while node >= 0 {
            nodes[Int(node)].live += 1
            nodes[Int(node)].priorityLimit = max(nodes[Int(node)].priorityLimit, priority)
            node = nodes[Int(node)].parent
        }
        endings.append(
            Ending(
                next: -1, route: route, variant: Int32(number), literals: Int32(variant.literalCount),
                priority: priority))
        insert(Int32(endings.count - 1), in: list, of: last)
    }

    /// Removes a variant of a route. What only it used remains until the table is built again.
    mutating func remove(_ variant: PatternVariant, number: Int, of route: Int32) {
        guard let (last, list) = find(variant) else { return }
        var previous: Int32 = -1
        var ending = nodes[Int(last)][list]
        while ending >= 0, endings[Int(ending)].route != route || endings[Int(ending)].variant != Int32(number) {
            previous = ending
            ending = endings[Int(ending)].next
        }
        guard ending >= 0 else { return }
        if previous < 0 {
            nodes[Int(last)][list] = endings[Int(ending)].next
        } else {
            endings[Int(previous)].next = endings[Int(ending)].next
        }
        var node = last
        while node >= 0 {
            nodes[Int(node)].live -= 1
            node = nodes[Int(node)].parent
        }
    }

    /// Inserts a route after those of its priority.
    private mutating func insert(_ ending: Int32, in list: List, of node: Int32) {
        var previous: Int32 = -1
        var next = nodes[Int(node)][list]
        while next >= 0, endings[Int(next)].priority >= endings[Int(ending)].priority {
            previous = next
            next = endings[Int(next)].next
        }
        endings[Int(ending)].next = next
        if previous < 0 { nodes[Int(node)][list] = ending } else { endings[Int(previous)].next = ending }
    }

    /// Returns the node where a variant ends. Makes the nodes that lead there.
    private mutating func make(_ variant: PatternVariant) -> (node: Int32, list: List) {
        var node = Self.roots.anyScheme
        if let scheme = variant.scheme {
            node = makeLiteral(Array(scheme.utf8), after: Self.root(variant), hash: ByteHash.of(scheme.utf8))
        }
        for (index, element) in variant.elements.enumerated() {
            switch element {
            case .literal(let bytes):
                node = makeLiteral(bytes, after: node, hash: Self.hash(bytes, isFirst: index == 0))
            case .placeholder(_, let type, let suffix):
                node = makePlaceholder(type ?? .string, suffix, after: node)
            case .fragment:
                if nodes[Int(node)].fragment < 0 {
                    nodes[Int(node)].fragment = Int32(nodes.count)
                    nodes.append(Node(parent: node))
                }
                node = nodes[Int(node)].fragment
            case .rest(_, let isPath): return (node, isPath ? .paths : .rests)
            }
        }
        return (node, .endings)
    }

    private mutating func makeLiteral(_ bytes: [UInt8], after parent: Int32, hash: UInt32) -> Int32 {
        let found = literal(bytes, after: parent, hash: hash)
        if found >= 0 { return found }
        if edgeCount * 3 >= edges.count * 2 { growEdges() }
        let child = Int32(nodes.count)
        nodes.append(Node(parent: parent, text: store(bytes)))
        nodes[Int(parent)].hasLiterals = true
        insert(LiteralEdge(hash: hash, child: child))
        edgeCount += 1
        return child
    }

    private mutating func store(_ bytes: [UInt8]) -> (start: Int32, end: Int32) {
        let start = Int32(literals.count)
        literals += bytes
        return (start, Int32(literals.count))
    }

    private mutating func insert(_ edge: LiteralEdge) {
        let mask = edges.count - 1
        var place = Self.place(nodes[Int(edge.child)].parent, edge.hash) & mask
        while edges[place].child >= 0 { place = (place + 1) & mask }
        edges[place] = edge
    }

    private mutating func growEdges() {
        let old = edges
        edges = [LiteralEdge](repeating: LiteralEdge(), count: old.count * 2)
        for edge in old where edge.child >= 0 { insert(edge) }
    }

    private mutating func makePlaceholder(_ type: ValueType, _ suffix: [UInt8], after parent: Int32) -> Int32 {
        if let found = placeholder(type, suffix, after: parent) { return placeholders[Int(found)].child }
        var custom: Int32 = -1
        if case .custom(let name) = type {
            custom = Int32(customTypes.firstIndex(of: name) ?? customTypes.count)
            if custom == customTypes.count { customTypes.append(name) }
        }
        let child = Int32(nodes.count)
        nodes.append(Node(parent: parent))
        let text = store(suffix)
        var edge = PlaceholderEdge(
            next: -1, child: child, rank: type.rank, custom: custom, suffixStart: text.start, suffixEnd: text.end)
        var previous: Int32 = -1
        var next = nodes[Int(parent)].placeholders
        while next >= 0, !precedes(edge, placeholders[Int(next)]) {
            previous = next
            next = placeholders[Int(next)].next
        }
        edge.next = next
        placeholders.append(edge)
        if previous < 0 {
            nodes[Int(parent)].placeholders = Int32(placeholders.count - 1)
        } else {
            placeholders[Int(previous)].next = Int32(placeholders.count - 1)
        }
        return child
    }

    /// Typed placeholders come before text, and among those of one type the longest suffix comes first.
    private func precedes(_ edge: PlaceholderEdge, _ other: PlaceholderEdge) -> Bool {
        if edge.rank != other.rank { return edge.rank < other.rank }
        if edge.suffix.count != other.suffix.count { return edge.suffix.count > other.suffix.count }
        return type(of: edge).description < type(of: other).description
    }
}

extension PatternVariant {
    var literalCount: Int { elements.count { if case .literal = $0 { true } else { false } } }
}
