/// The tree of a route table: one node for each beginning of a pattern.
///
/// All of it is in a few arrays without references, so that a copy costs little: a table is changed by copying it.
/// Literal components are found in one hash table for all nodes; the few placeholders of a node are in a list, best
/// first.
struct RouteIndex: Sendable {
    /// A place where patterns begin, go on or end.
    struct Node {
        /// The first of its placeholders; -1 for none.
        var placeholders: Int32 = -1
        /// The first of the routes that end here, highest priority first; -1 for none.
        var endings: Int32 = -1
        /// The same for routes that end in `*` after this node.
        var rests: Int32 = -1
        /// The same for routes that end in a path after this node.
        var paths: Int32 = -1
        /// The node behind `#`; -1 for none.
        var fragment: Int32 = -1
        /// The number of routes that end here or further down.
        var live: Int32 = 0
        /// No route that ends here or further down has a higher one. After a removal it may be too high.
        var priorityLimit = Int.min
        var hasLiterals = false
    }

    /// A placeholder behind a node.
    struct PlaceholderEdge {
        var next: Int32
        let child: Int32
        let type: ValueType
        let suffix: [UInt8]

        /// Typed placeholders before text; among those of one type the longest suffix first.
        func comes(before other: PlaceholderEdge) -> Bool {
            (type.rank, other.suffix.count, type.description) < (other.type.rank, suffix.count, other.type.description)
        }
    }

    /// A route that ends at a node.
    struct Ending {
        var next: Int32
        let route: Int32
        let variant: Int32
        let literals: Int32
        let priority: Int
    }

    /// A literal component behind a node. `parent` is -1 in a place that is free.
    struct LiteralEdge {
        var parent: Int32 = -1
        var hash: UInt32 = 0
        var child: Int32 = -1
        var start: Int32 = 0
        var end: Int32 = 0
    }

    /// Behind these three stand the schemes of patterns that begin with a host, the schemes of patterns that do not,
    /// and the components of patterns without a scheme.
    static let roots = (hosts: Int32(0), schemes: Int32(1), anyScheme: Int32(2))

    private(set) var nodes = [Node(), Node(), Node()]
    private(set) var placeholders: [PlaceholderEdge] = []
    private(set) var endings: [Ending] = []
    private(set) var literals: [UInt8] = []
    private var edges = [LiteralEdge](repeating: LiteralEdge(), count: 16)
    private var edgeCount = 0

    // MARK: Looking up

    /// Finds the node behind a literal.
    ///
    /// - Parameter matches: whether the bytes of an edge with the same hash are those that are looked for.
    @inline(__always)
    func child(of parent: Int32, hash: UInt32, where matches: (ArraySlice<UInt8>) -> Bool) -> Int32 {
        let mask = edges.count - 1
        var place = Self.place(parent, hash) & mask
        while edges[place].parent >= 0 {
            let edge = edges[place]
            if edge.parent == parent, edge.hash == hash, matches(literals[Int(edge.start)..<Int(edge.end)]) {
                return edge.child
            }
            place = (place + 1) & mask
        }
        return -1
    }

    @inline(__always)
    private static func place(_ parent: Int32, _ hash: UInt32) -> Int {
        let mixed = (UInt64(hash) | UInt64(UInt32(bitPattern: parent)) << 32) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 32)
    }

    // MARK: Changing

    /// The list of a node in which a variant ends.
    private enum List { case endings, rests, paths }

    /// Adds a variant of a route.
    mutating func add(_ variant: PatternVariant, number: Int, of route: Int32, priority: Int) {
        let (path, list) = walk(variant)
        for node in path {
            nodes[Int(node)].live += 1
            nodes[Int(node)].priorityLimit = max(nodes[Int(node)].priorityLimit, priority)
        }
        let literals = variant.elements.count { if case .literal = $0 { true } else { false } }
        endings.append(
            Ending(next: -1, route: route, variant: Int32(number), literals: Int32(literals), priority: priority))
        insert(Int32(endings.count - 1), in: list, of: path[path.count - 1])
    }

    /// Returns a route that has a variant which is the same as this one; nil if there is none. Makes the nodes that
    /// lead there.
    mutating func route(at variant: PatternVariant, priority: Int) -> Int32? {
        let (path, list) = walk(variant)
        var ending = first(list, of: path[path.count - 1])
        while ending >= 0 {
            if endings[Int(ending)].priority == priority { return endings[Int(ending)].route }
            ending = endings[Int(ending)].next
        }
        return nil
    }

    /// Removes a variant of a route. What it leaves unused stays until the table is built again.
    mutating func remove(_ variant: PatternVariant, of route: Int32) {
        let (path, list) = walk(variant)
        for node in path { nodes[Int(node)].live -= 1 }
        let node = path[path.count - 1]
        var previous: Int32 = -1
        var ending = first(list, of: node)
        while ending >= 0, endings[Int(ending)].route != route {
            previous = ending
            ending = endings[Int(ending)].next
        }
        guard ending >= 0 else { return }
        if previous < 0 {
            setFirst(endings[Int(ending)].next, list, of: node)
        } else {
            endings[Int(previous)].next = endings[Int(ending)].next
        }
    }

    private func first(_ list: List, of node: Int32) -> Int32 {
        switch list {
        case .endings: nodes[Int(node)].endings
        case .rests: nodes[Int(node)].rests
        case .paths: nodes[Int(node)].paths
        }
    }

    private mutating func setFirst(_ ending: Int32, _ list: List, of node: Int32) {
        switch list {
        case .endings: nodes[Int(node)].endings = ending
        case .rests: nodes[Int(node)].rests = ending
        case .paths: nodes[Int(node)].paths = ending
        }
    }

    /// Inserts a route behind those of its priority.
    private mutating func insert(_ ending: Int32, in list: List, of node: Int32) {
        var previous: Int32 = -1
        var next = first(list, of: node)
        while next >= 0, endings[Int(next)].priority >= endings[Int(ending)].priority {
            previous = next
            next = endings[Int(next)].next
        }
        endings[Int(ending)].next = next
        if previous < 0 { setFirst(ending, list, of: node) } else { endings[Int(previous)].next = ending }
    }

    /// Returns the nodes from the root to the one where a variant ends. Makes those that are missing.
    private mutating func walk(_ variant: PatternVariant) -> (path: [Int32], list: List) {
        var node = Self.roots.anyScheme
        var path: [Int32] = []
        if let scheme = variant.scheme {
            let root = variant.beginsWithHost ? Self.roots.hosts : Self.roots.schemes
            path.append(root)
            node = literal(Array(scheme.utf8), behind: root, hash: ByteHash.of(scheme.utf8))
        }
        path.append(node)
        for (index, element) in variant.elements.enumerated() {
            switch element {
            case .literal(let bytes):
                // The first may be compared with a host, without regard to case.
                let hash = ByteHash.of(index == 0 ? bytes.map(Bytes.lowercased) : bytes)
                node = literal(bytes, behind: node, hash: hash)
            case .placeholder(_, let type, let suffix):
                node = placeholder(type ?? .string, suffix, behind: node)
            case .fragment:
                if nodes[Int(node)].fragment < 0 {
                    nodes.append(Node())
                    nodes[Int(node)].fragment = Int32(nodes.count - 1)
                }
                node = nodes[Int(node)].fragment
            case .rest(_, let isPath): return (path, isPath ? .paths : .rests)
            }
            path.append(node)
        }
        return (path, .endings)
    }

    private mutating func literal(_ bytes: [UInt8], behind parent: Int32, hash: UInt32) -> Int32 {
        let found = child(of: parent, hash: hash) { $0.elementsEqual(bytes) }
        if found >= 0 { return found }
        if edgeCount * 3 >= edges.count * 2 { growEdges() }
        let start = literals.count
        literals += bytes
        nodes.append(Node())
        nodes[Int(parent)].hasLiterals = true
        insert(
            LiteralEdge(
                parent: parent, hash: hash, child: Int32(nodes.count - 1), start: Int32(start),
                end: Int32(literals.count)))
        edgeCount += 1
        return Int32(nodes.count - 1)
    }

    private mutating func insert(_ edge: LiteralEdge) {
        let mask = edges.count - 1
        var place = Self.place(edge.parent, edge.hash) & mask
        while edges[place].parent >= 0 { place = (place + 1) & mask }
        edges[place] = edge
    }

    private mutating func growEdges() {
        let old = edges
        edges = [LiteralEdge](repeating: LiteralEdge(), count: old.count * 2)
        for edge in old where edge.parent >= 0 { insert(edge) }
    }

    private mutating func placeholder(_ type: ValueType, _ suffix: [UInt8], behind parent: Int32) -> Int32 {
        var previous: Int32 = -1
        var next = nodes[Int(parent)].placeholders
        let child = Int32(nodes.count)
        var edge = PlaceholderEdge(next: -1, child: child, type: type, suffix: suffix)
        while next >= 0 {
            let other = placeholders[Int(next)]
            if other.type == type, other.suffix == suffix { return other.child }
            if edge.comes(before: other) { break }
            previous = next
            next = other.next
        }
        // One further down may be the same only if it compares equal, and those stand together.
        edge.next = next
        placeholders.append(edge)
        nodes.append(Node())
        if previous < 0 {
            nodes[Int(parent)].placeholders = Int32(placeholders.count - 1)
        } else {
            placeholders[Int(previous)].next = Int32(placeholders.count - 1)
        }
        return child
    }
}
