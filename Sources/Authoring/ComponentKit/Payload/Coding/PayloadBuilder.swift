import CHSLink
import SystemSupport

/// Builds a payload while a reader decodes its input, with one allocation at the end.
///
/// Values are collected on a stack; when an array or map ends, its values move from the stack to their final order.
/// Until then, values refer to other values and to text by position instead of by address, so these collections can
/// grow. Nothing recurses, so deep input does not use up the stack.
struct PayloadBuilder {
    /// A value; `bits` holds its content, or a position in `text`, `items` or `entries`.
    struct Node {
        var tag: Int
        var length = 0
        var bits: UInt64 = 0
    }

    /// A range of `text`.
    struct TextRange {
        var offset: Int
        var length: Int
    }

    /// A value with its key; the key is empty in arrays.
    struct Entry {
        var key: TextRange
        var node: Node
    }

    /// An array or map that has begun and not ended.
    struct Frame {
        let isMap: Bool
        /// The index of its first value on the stack.
        let start: Int
        /// The position at which it begins in the input.
        let place: Int
        /// The number of values or entries that are still to be read, for formats that declare it at the start.
        var remaining: Int
        /// Its key in the enclosing map.
        let key: TextRange?
    }

    let limits: PayloadLimits
    /// The number of levels and values by which the limits may be exceeded temporarily, in formats that write one value
    /// as several.
    let slack: Int
    private(set) var frames: [Frame] = []
    private(set) var key: TextRange?
    private var nodeCount = 0
    /// The level of a map that exceeded the limit, or 0. It is an error unless the enclosing map turns out to represent
    /// another value.
    private var levelTooDeep = 0
    /// Whether a map could not end because it has a key twice.
    private(set) var hasSameKeys = false
    private var values: [Entry] = []
    private var items: [Node] = []
    private var entries: [Entry] = []
    /// Keys, strings and byte strings.
    var text: [UInt8] = []

    /// - Parameter textCapacity: The maximum size of the text in bytes.
    init(limits: PayloadLimits, slack: Int = 0, textCapacity: Int) {
        self.limits = limits
        self.slack = slack
        text.reserveCapacity(textCapacity)
        values.reserveCapacity(16)
    }

    /// The entries of the innermost map, or the values of the innermost array, read so far.
    var current: ArraySlice<Entry> { values[(frames.last?.start ?? 0)...] }

    mutating func setKey(_ range: TextRange) { key = range }

    /// Adds a value that is neither an array nor a map.
    mutating func add(_ node: Node) throws(PayloadError) {
        try countNode()
        values.append(Entry(key: key ?? TextRange(offset: 0, length: 0), node: node))
        key = nil
    }

    /// Begins an array or map; the values that follow belong to it until it ends.
    mutating func begin(isMap: Bool, place: Int, remaining: Int = 0) throws(PayloadError) {
        guard frames.count - (isMap ? slack : 0) < limits.depth else { throw tooDeepError() }
        try countNode()
        frames.append(Frame(isMap: isMap, start: values.count, place: place, remaining: remaining, key: key))
        key = nil
    }

    /// Counts down the remaining values of the innermost array or map; returns false if none are left.
    mutating func takeRemaining() -> Bool {
        guard let last = frames.indices.last, frames[last].remaining > 0 else { return false }
        frames[last].remaining -= 1
        return true
    }

    /// Ends the innermost array or map.
    mutating func end() throws(PayloadError) {
        guard let frame = frames.last else { return }
        let count = values.count - frame.start
        guard levelTooDeep == 0 else { throw tooDeepError() }
        if frames.count > limits.depth { levelTooDeep = frames.count }
        if frame.isMap {
            try checkKeys(from: frame.start)
            let node = Node(tag: HSLINK_MAP, length: count, bits: UInt64(entries.count))
            entries.append(contentsOf: values[frame.start...])
            finish(frame, as: node)
        } else {
            let node = Node(tag: HSLINK_ARRAY, length: count, bits: UInt64(items.count))
            for entry in values[frame.start...] { items.append(entry.node) }
            finish(frame, as: node)
        }
    }

    /// Ends the innermost map, which represented a single value.
    ///
    /// - Parameter weight: The number of values that it was counted as.
    mutating func end(replacement node: Node, weight: Int) {
        guard let frame = frames.last else { return }
        nodeCount -= weight - 1
        if levelTooDeep > frames.count { levelTooDeep = 0 }
        finish(frame, as: node)
    }

    /// Removes the first `count` bytes of the only key of the innermost map.
    mutating func dropFromOnlyKey(_ count: Int) {
        guard let last = values.indices.last else { return }
        values[last].key.offset += count
        values[last].key.length -= count
    }

    /// Returns the entries of a map that has ended.
    func entries(of map: Node) -> ArraySlice<Entry> { entries[Int(map.bits)..<Int(map.bits) + map.length] }

    private mutating func finish(_ frame: Frame, as node: Node) {
        values.removeLast(values.count - frame.start)
        values.append(Entry(key: frame.key ?? TextRange(offset: 0, length: 0), node: node))
        frames.removeLast()
        key = nil
    }

    private mutating func countNode() throws(PayloadError) {
        nodeCount += 1
        guard nodeCount - slack <= limits.nodes else {
            throw PayloadError(path: path(), expected: "at most \(limits.nodes) values", found: "more")
        }
    }

    private func tooDeepError() -> PayloadError {
        PayloadError(path: path(), expected: "at most \(limits.depth) levels", found: "more")
    }

    private mutating func checkKeys(from start: Int) throws(PayloadError) {
        let count = values.count - start
        guard count > 1 else { return }
        let repeated = unsafe text.withUnsafeBytes { text in
            unsafe KeyTable.firstRepeated(count: count) { index in
                let key = values[start + index].key
                return unsafe UnsafeRawBufferPointer(rebasing: text[key.offset..<key.offset + key.length])
            }
        }
        guard let repeated else { return }
        hasSameKeys = true
        let key = string(values[start + repeated].key)
        throw PayloadError(
            path: path(ofContainer: true), expected: PayloadError.uniqueKeys, found: "\(key.quoted()) twice")
    }
}

extension PayloadBuilder {
    /// Appends bytes to `text`.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> TextRange {
        let offset = text.count
        unsafe text.append(contentsOf: bytes)
        return TextRange(offset: offset, length: bytes.count)
    }

    /// Returns a range of `text` as a string.
    func string(_ range: TextRange) -> String {
        String(decoding: text[range.offset..<range.offset + range.length], as: UTF8.self)
    }

    /// Returns the text of a string value.
    func string(_ node: Node) -> String { string(TextRange(offset: Int(node.bits), length: node.length)) }

    /// Returns the path to the next value, or to the array or map that will contain it.
    func path(ofContainer: Bool = false) -> [PayloadError.PathElement] {
        var path: [PayloadError.PathElement] = []
        for (level, frame) in frames.enumerated() {
            let isLast = level == frames.count - 1
            if isLast, ofContainer { break }
            let inner = isLast ? key : frames[level + 1].key
            let next = isLast ? values.count : frames[level + 1].start
            if !frame.isMap {
                path.append(.index(next - frame.start))
            } else if let inner {
                path.append(.key(string(inner)))
            }
        }
        return path
    }
}

extension PayloadBuilder {
    /// Returns the payload, once all arrays and maps have ended.
    ///
    /// - Throws: ``PayloadError`` if the payload exceeds the limits on bytes, values or levels.
    func payload() throws(PayloadError) -> Payload {
        guard levelTooDeep == 0 else { throw tooDeepError() }
        guard nodeCount <= limits.nodes else {
            throw PayloadError(expected: "at most \(limits.nodes) values", found: "\(nodeCount)")
        }
        let itemsSize = unsafe items.count * MemoryLayout<hslink_value>.stride
        let nodesSize = unsafe itemsSize + entries.count * MemoryLayout<hslink_entry>.stride
        let size = nodesSize + text.count
        guard size <= limits.bytes else {
            throw PayloadError(expected: "at most \(limits.bytes) bytes", found: "\(size)")
        }
        guard let root = values.first?.node else { return .null }
        guard size > 0 else { return unsafe Payload(node: Target().value(root), owner: nil) }
        let storage = PayloadStorage.make(byteCount: size)
        let memory = unsafe storage.memory
        let target = unsafe Target(
            text: memory + nodesSize, items: memory.assumingMemoryBound(to: hslink_value.self),
            entries: (memory + itemsSize).assumingMemoryBound(to: hslink_entry.self))
        for (index, node) in items.enumerated() { unsafe target.items?[index] = unsafe target.value(node) }
        for (index, entry) in entries.enumerated() { unsafe target.entries?[index] = unsafe target.entry(entry) }
        unsafe text.withUnsafeBytes { text in
            if let base = text.baseAddress { unsafe target.text?.copyMemory(from: base, byteCount: text.count) }
        }
        return unsafe Payload(node: target.value(root), owner: storage)
    }

    /// The memory of the payload, which converts positions to addresses.
    @safe
    private struct Target {
        var text: UnsafeMutableRawPointer?
        var items: UnsafeMutablePointer<hslink_value>?
        var entries: UnsafeMutablePointer<hslink_entry>?

        /// Returns a node. Its length fits 32 bits because readers refuse longer inputs.
        func value(_ node: Node) -> hslink_value {
            let length = UInt32(node.length)
            let position = Int(truncatingIfNeeded: node.bits)
            switch node.tag {
            case HSLINK_STRING, HSLINK_BYTES, HSLINK_ARRAY, HSLINK_MAP: break
            default: return unsafe hslink_value_make(UInt32(node.tag), length, Int64(bitPattern: node.bits))
            }
            guard length > 0, let text = unsafe text, let items = unsafe items, let entries = unsafe entries else {
                return unsafe hslink_value_make(UInt32(node.tag), 0, 0)
            }
            switch node.tag {
            case HSLINK_STRING: return unsafe hslink_utf8(text.assumingMemoryBound(to: CChar.self) + position, length)
            case HSLINK_BYTES: return unsafe hslink_bytes(text.assumingMemoryBound(to: UInt8.self) + position, length)
            case HSLINK_ARRAY: return unsafe hslink_array(items + position, length)
            default: return unsafe hslink_map(entries + position, length)
            }
        }

        func entry(_ entry: Entry) -> hslink_entry {
            let text = unsafe entry.key.length == 0 ? nil : text?.assumingMemoryBound(to: CChar.self)
            return unsafe hslink_entry(
                key: text.map { unsafe UnsafePointer($0) + entry.key.offset }, key_length: UInt32(entry.key.length),
                reserved: 0, value: unsafe value(entry.node))
        }
    }
}

extension PayloadBuilder.Node {
    static var null: Self { Self(tag: HSLINK_NULL) }
    static func bool(_ value: Bool) -> Self { Self(tag: HSLINK_BOOL, bits: value ? 1 : 0) }
    static func int(_ value: Int64) -> Self { Self(tag: HSLINK_INT, bits: UInt64(bitPattern: value)) }
    static func uint(_ value: UInt64) -> Self {
        Self(tag: value > UInt64(Int64.max) ? HSLINK_UINT : HSLINK_INT, bits: value)
    }
    static func double(_ value: Double) -> Self { Self(tag: HSLINK_DOUBLE, bits: value.bitPattern) }
    static func string(_ text: PayloadBuilder.TextRange) -> Self {
        Self(tag: HSLINK_STRING, length: text.length, bits: UInt64(text.offset))
    }
    static func bytes(_ text: PayloadBuilder.TextRange) -> Self {
        Self(tag: HSLINK_BYTES, length: text.length, bits: UInt64(text.offset))
    }
    static func date(_ value: Timestamp) -> Self {
        Self(tag: HSLINK_DATE, length: Int(value.nanoseconds), bits: UInt64(bitPattern: value.seconds))
    }
}
