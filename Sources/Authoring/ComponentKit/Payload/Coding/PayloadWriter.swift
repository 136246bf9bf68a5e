import CHSLink

/// A writer of an encoded form. The traversal of the tree, its limits and the paths in errors are the same for all
/// formats.
protocol PayloadWriter {
    /// The number of bytes written so far.
    var byteCount: Int { get }
    /// Whether further output would be discarded, so that the traversal can stop.
    var isFull: Bool { get }

    /// Writes a value that is neither an array nor a map.
    mutating func writeScalar(_ node: hslink_value) throws(PayloadError)
    mutating func beginArray(_ node: hslink_value)
    /// Called before each item.
    mutating func beginItem(isFirst: Bool)
    mutating func endArray(_ node: hslink_value)
    mutating func beginMap(_ node: hslink_value)
    /// Called before each value.
    mutating func writeKey(_ key: UnsafeRawBufferPointer, isFirst: Bool)
    mutating func endMap(_ node: hslink_value)
}

extension PayloadWriter {
    /// Writes a whole tree within the limits; a larger one could not be read back.
    mutating func write(_ node: hslink_value, limits: PayloadLimits = .standard) throws(PayloadError) {
        var nodes = limits.nodes
        try unsafe write(node, depth: 0, nodes: &nodes, limits)
    }

    private mutating func write(
        _ node: hslink_value, depth: Int, nodes: inout Int, _ limits: PayloadLimits
    ) throws(PayloadError) {
        guard nodes > 0 else { throw PayloadError(expected: "at most \(limits.nodes) values", found: "more") }
        nodes -= 1
        switch unsafe Int(node.tag) {
        case HSLINK_ARRAY, HSLINK_MAP:
            guard depth < limits.depth else {
                throw PayloadError(expected: "at most \(limits.depth) levels", found: "more")
            }
            if unsafe Int(node.tag) == HSLINK_ARRAY {
                try unsafe writeItems(of: node, depth: depth, nodes: &nodes, limits)
            } else {
                try unsafe writeEntries(of: node, depth: depth, nodes: &nodes, limits)
            }
        default: try unsafe writeScalar(node)
        }
        guard byteCount <= limits.bytes else {
            throw PayloadError(expected: "at most \(limits.bytes) bytes", found: "more")
        }
    }

    private mutating func writeItems(
        of node: hslink_value, depth: Int, nodes: inout Int, _ limits: PayloadLimits
    ) throws(PayloadError) {
        unsafe beginArray(node)
        for unsafe(index, item) in unsafe node.itemNodes.enumerated() {
            beginItem(isFirst: index == 0)
            if isFull { break }
            do {
                try unsafe write(item, depth: depth + 1, nodes: &nodes, limits)
            } catch {
                throw error.within(.index(index))
            }
        }
        unsafe endArray(node)
    }

    private mutating func writeEntries(
        of node: hslink_value, depth: Int, nodes: inout Int, _ limits: PayloadLimits
    ) throws(PayloadError) {
        unsafe beginMap(node)
        for unsafe(index, entry) in unsafe node.entryNodes.enumerated() {
            unsafe writeKey(entry.keyBytes, isFirst: index == 0)
            if isFull { break }
            do {
                try unsafe write(entry.value, depth: depth + 1, nodes: &nodes, limits)
            } catch {
                throw unsafe error.within(.key(entry.keyText))
            }
        }
        unsafe endMap(node)
    }
}
