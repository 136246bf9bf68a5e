package import CHSLink

extension Payload {
    /// An owned copy of a borrowed tree, checked on the way: afterwards every pointer is good, every text
    /// is UTF-8, every key unique, every object retained. Values of unknown tags are kept as they are.
    ///
    /// - Throws: when the tree is beyond `limits` or broken; the error names the place.
    package init(copying node: hslink_value, limits: PayloadLimits) throws(PayloadError) {
        switch unsafe node.kind {
        case .null, .bool, .int, .uint, .double, .unknown:
            unsafe self.init(node: node.normalized, owner: nil)
        case .object:
            let object = try unsafe TreeMeasure.object(of: node)
            unsafe self.init(node: node, owner: LinkObject(retaining: object))
        default:
            var measure = TreeMeasure(limits: limits)
            try unsafe measure.visit(node, depth: 0)
            let storage = PayloadStorage.make(byteCount: measure.byteCount)
            var writer = unsafe TreeWriter(memory: storage.memory, nodesSize: measure.nodesSize)
            let root = unsafe writer.copy(node)
            storage.owners = writer.objects
            unsafe self.init(node: root, owner: storage)
        }
    }
}

/// The first pass: checks a foreign tree and says how much memory a copy takes.
struct TreeMeasure {
    let limits: PayloadLimits
    var nodeCount = 0
    /// Bytes of items and entries, which come first in the copy since they want alignment.
    var nodesSize = 0
    /// Bytes of text, keys and byte strings.
    var textSize = 0

    init(limits: PayloadLimits) { self.limits = limits }

    var byteCount: Int { nodesSize + textSize }

    mutating func visit(_ node: hslink_value, depth: Int) throws(PayloadError) {
        nodeCount += 1
        guard nodeCount <= limits.nodes else {
            throw PayloadError(expected: "at most \(limits.nodes) values", found: "more")
        }
        switch unsafe node.kind {
        case .null, .bool, .int, .uint, .double, .unknown: break
        case .string: try unsafe addText(node.`as`.utf8, node.length, "string")
        case .bytes:
            guard unsafe node.length == 0 || node.`as`.bytes != nil else {
                throw PayloadError(expected: unsafe "\(node.length) bytes", found: "a null pointer")
            }
            try unsafe add(Int(node.length))
        case .date:
            guard unsafe node.dateValue != nil else {
                throw unsafe PayloadError(expected: "nanoseconds below 1000000000", found: node.summary)
            }
        case .object: _ = try unsafe TreeMeasure.object(of: node)
        case .array: try unsafe visitItems(of: node, depth: depth)
        case .map: try unsafe visitEntries(of: node, depth: depth)
        }
    }

    private mutating func visitItems(of node: hslink_value, depth: Int) throws(PayloadError) {
        try unsafe checkContainer(node, depth, isNull: node.`as`.items == nil)
        try unsafe addNodes(Int(node.length) * MemoryLayout<hslink_value>.stride)
        for unsafe(index, item) in unsafe node.itemNodes.enumerated() {
            do { try unsafe visit(item, depth: depth + 1) } catch { throw error.within(.index(index)) }
        }
    }

    private mutating func visitEntries(of node: hslink_value, depth: Int) throws(PayloadError) {
        try unsafe checkContainer(node, depth, isNull: node.`as`.entries == nil)
        try unsafe addNodes(Int(node.length) * MemoryLayout<hslink_entry>.stride)
        let entries = unsafe node.entryNodes
        for unsafe(index, entry) in unsafe entries.enumerated() {
            do { try unsafe addText(entry.key, entry.key_length, "key") } catch { throw error.within(.index(index)) }
            do { try unsafe visit(entry.value, depth: depth + 1) } catch {
                throw unsafe error.within(.key(entry.keyText))
            }
        }
        try unsafe checkUniqueKeys(entries)
    }

    /// Limits come before the items are touched: a length that lies must not be followed far.
    private func checkContainer(_ node: hslink_value, _ depth: Int, isNull: Bool) throws(PayloadError) {
        guard depth < limits.depth else {
            throw PayloadError(expected: "at most \(limits.depth) levels", found: "a deeper one")
        }
        guard unsafe node.length == 0 || !isNull else {
            throw PayloadError(expected: unsafe "\(node.length) items", found: "a null pointer")
        }
        guard unsafe Int(node.length) <= limits.nodes - nodeCount else {
            throw PayloadError(expected: "at most \(limits.nodes) values", found: unsafe node.summary)
        }
    }

    private mutating func addText(
        _ text: UnsafePointer<CChar>?, _ length: UInt32, _ what: String
    ) throws(PayloadError) {
        guard length > 0 else { return }
        guard let text = unsafe text else {
            throw PayloadError(expected: "a \(what) of \(length) bytes", found: "a null pointer")
        }
        try add(Int(length))
        let bytes = unsafe UnsafeBufferPointer(
            start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: Int(length))
        guard unsafe bytes.isValidUTF8 else {
            throw PayloadError(expected: "a \(what) in UTF-8", found: "other bytes")
        }
    }

    private mutating func addNodes(_ size: Int) throws(PayloadError) {
        nodesSize += size
        try add(0)
    }

    private mutating func add(_ count: Int) throws(PayloadError) {
        textSize += count
        guard byteCount <= limits.bytes else {
            throw PayloadError(expected: "at most \(limits.bytes) bytes", found: "more")
        }
    }

    private func checkUniqueKeys(_ entries: UnsafeBufferPointer<hslink_entry>) throws(PayloadError) {
        guard let index = unsafe KeyTable.firstRepeated(count: entries.count, key: { unsafe entries[$0].keyBytes })
        else { return }
        throw PayloadError(expected: "each key once", found: unsafe "\(entries[index].keyText.excerpt) twice")
    }

    static func object(of node: hslink_value) throws(PayloadError) -> UnsafeMutablePointer<hslink_object> {
        guard let object = unsafe node.`as`.object else {
            throw PayloadError(expected: "object", found: "a null pointer")
        }
        unsafe try ObjectCheck.check(object)
        return unsafe object
    }
}

/// The second pass: writes a measured tree into memory of its own.
@safe
private struct TreeWriter {
    var nodes: UnsafeMutableRawPointer
    var text: UnsafeMutableRawPointer
    var objects: [AnyObject] = []

    init(memory: UnsafeMutableRawPointer, nodesSize: Int) {
        unsafe nodes = unsafe memory
        unsafe text = unsafe memory + nodesSize
    }

    mutating func copy(_ node: hslink_value) -> hslink_value {
        var copy = unsafe node.normalized
        switch unsafe node.kind {
        case .string: unsafe copy.`as`.utf8 = unsafe move(node.`as`.utf8, node.length)
        case .bytes:
            let moved = unsafe move(UnsafeRawPointer(node.`as`.bytes)?.assumingMemoryBound(to: CChar.self), node.length)
            unsafe copy.`as`.bytes = unsafe UnsafeRawPointer(moved)?.assumingMemoryBound(to: UInt8.self)
        case .array:
            let target = unsafe reserve(hslink_value.self, node.itemNodes.count)
            for unsafe(index, item) in unsafe node.itemNodes.enumerated() {
                unsafe target[index] = unsafe self.copy(item)
            }
            unsafe copy.`as`.items = unsafe UnsafePointer(target)
        case .map:
            let target = unsafe reserve(hslink_entry.self, node.entryNodes.count)
            for unsafe(index, entry) in unsafe node.entryNodes.enumerated() {
                let key = unsafe move(entry.key, entry.key_length)
                let value = unsafe self.copy(entry.value)
                unsafe target[index] = unsafe hslink_entry(
                    key: key, key_length: entry.key_length, reserved: 0, value: value)
            }
            unsafe copy.`as`.entries = unsafe UnsafePointer(target)
        case .object:
            if let object = unsafe node.`as`.object { unsafe objects.append(LinkObject(retaining: object)) }
        case .null, .bool, .int, .uint, .double, .date, .unknown: break
        }
        return unsafe copy
    }

    private mutating func reserve<Element>(_: Element.Type, _ count: Int) -> UnsafeMutablePointer<Element> {
        let start = unsafe nodes.assumingMemoryBound(to: Element.self)
        unsafe nodes += count * MemoryLayout<Element>.stride
        return unsafe start
    }

    private mutating func move(_ source: UnsafePointer<CChar>?, _ length: UInt32) -> UnsafePointer<CChar>? {
        guard let source = unsafe source, length > 0 else { return nil }
        let start = unsafe text
        unsafe start.copyMemory(from: source, byteCount: Int(length))
        unsafe text += Int(length)
        return unsafe UnsafePointer(start.assumingMemoryBound(to: CChar.self))
    }
}

extension hslink_value {
    /// Integers have one form: what a foreign tree says to be unsigned is signed where that holds it.
    fileprivate var normalized: hslink_value {
        unsafe Int(tag) == HSLINK_UINT ? hslink_uint(`as`.u64) : self
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are well-formed UTF-8 (RFC 3629).
    package var isValidUTF8: Bool {
        unsafe firstInvalidUTF8 == nil
    }

    /// The offset of the first bytes that are no UTF-8.
    var firstInvalidUTF8: Int? {
        do {
            _ = unsafe try UTF8Span(validating: Span(_unsafeElements: self))
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }
}
