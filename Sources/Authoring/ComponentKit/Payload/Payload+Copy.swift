package import CHSLink
import SystemSupport

extension Payload {
    /// Copies a borrowed tree and validates it: in the copy every pointer is valid, every text is UTF-8, every key is
    /// unique, and every object is retained. Values with unknown tags are kept unchanged.
    ///
    /// - Throws: ``PayloadError`` if the tree exceeds `limits` or is malformed, with the path to the value.
    package init(copying node: hslink_value, limits: PayloadLimits) throws(PayloadError) {
        switch unsafe Int(node.tag) {
        case HSLINK_DATE, HSLINK_STRING, HSLINK_BYTES, HSLINK_ARRAY, HSLINK_MAP:
            var measure = TreeMeasure(limits: limits)
            try unsafe measure.visit(node, depth: 0)
            let storage = PayloadStorage.make(byteCount: measure.byteCount, ownerCount: measure.objectCount)
            var writer = unsafe TreeWriter(
                memory: storage.memory, nodesSize: measure.nodesSize, objects: storage.owners)
            unsafe self.init(node: writer.copy(node), owner: storage)
        case HSLINK_OBJECT:
            let object = try unsafe TreeMeasure.object(of: node)
            unsafe self.init(node: node, owner: LinkObject(retaining: object))
        default:
            unsafe self.init(node: node.normalized, owner: nil)
        }
    }

    /// Returns the number of bytes that a copy of the payload would occupy, without copying it. A shared part counts
    /// each time it is met.
    ///
    /// - Throws: ``PayloadError`` if the payload exceeds `limits`; nothing beyond them is visited.
    package func memorySize(limits: PayloadLimits) throws(PayloadError) -> Int {
        var measure = TreeMeasure(limits: limits)
        try unsafe withUnsafeValue { node throws(PayloadError) in unsafe try measure.visit(node.pointee, depth: 0) }
        return unsafe MemoryLayout<hslink_value>.size + measure.byteCount
    }
}

/// The first pass: validates a foreign tree and measures the memory that a copy needs.
struct TreeMeasure {
    let limits: PayloadLimits
    var nodeCount = 0
    /// The size of items and entries; they come first in the copy because they need alignment.
    var nodesSize = 0
    /// The size of text, keys and byte strings.
    var textSize = 0
    /// The number of references to objects; an object counts each time it is met.
    var objectCount = 0

    init(limits: PayloadLimits) { self.limits = limits }

    var byteCount: Int { nodesSize + textSize }

    @inline(__always)
    mutating func visit(_ node: hslink_value, depth: Int) throws(PayloadError) {
        nodeCount += 1
        guard nodeCount <= limits.nodes else {
            throw PayloadError(expected: "at most \(limits.nodes) values", found: "more")
        }
        // Most values are contained in their 16 bytes.
        if unsafe node.tag > UInt32(HSLINK_DOUBLE) { try unsafe visitLarger(node, depth: depth) }
    }

    /// Visits a value that refers to memory, or that can be invalid by itself.
    private mutating func visitLarger(_ node: hslink_value, depth: Int) throws(PayloadError) {
        switch unsafe Int(node.tag) {
        case HSLINK_STRING: try unsafe addText(node.`as`.utf8, node.length, as: "string")
        case HSLINK_BYTES:
            guard unsafe node.length == 0 || node.`as`.bytes != nil else {
                throw PayloadError(expected: unsafe "\(node.length) bytes", found: "a null pointer")
            }
            try unsafe add(Int(node.length))
        case HSLINK_DATE:
            guard unsafe node.dateValue != nil else {
                throw unsafe PayloadError(expected: "nanoseconds below 1000000000", found: node.summary)
            }
        case HSLINK_OBJECT:
            _ = try unsafe TreeMeasure.object(of: node)
            objectCount += 1
        case HSLINK_ARRAY: try unsafe visitItems(of: node, depth: depth)
        case HSLINK_MAP: try unsafe visitEntries(of: node, depth: depth)
        default: break
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
        for index in entries.indices {
            do {
                try unsafe addText(entries[index].key, entries[index].key_length, as: "key")
            } catch {
                throw error.within(.index(index))
            }
            do {
                try unsafe visit(entries[index].value, depth: depth + 1)
            } catch {
                throw unsafe error.within(.key(entries[index].keyText))
            }
        }
        try unsafe checkUniqueKeys(entries)
    }

    /// Checks the limits before any item is read, so a wrong length does not lead far into foreign memory.
    private func checkContainer(_ node: hslink_value, _ depth: Int, isNull: Bool) throws(PayloadError) {
        guard depth < limits.depth else {
            throw PayloadError(expected: "at most \(limits.depth) levels", found: "more")
        }
        guard unsafe node.length == 0 || !isNull else {
            throw PayloadError(expected: unsafe "\(node.length) items", found: "a null pointer")
        }
        guard unsafe Int(node.length) <= limits.nodes - nodeCount else {
            throw PayloadError(expected: "at most \(limits.nodes) values", found: unsafe node.summary)
        }
    }

    private mutating func addText(
        _ text: UnsafePointer<CChar>?, _ length: UInt32, as what: String
    ) throws(PayloadError) {
        guard length > 0 else { return }
        guard let text = unsafe text else {
            throw PayloadError(expected: "a \(what) of \(length) bytes", found: "a null pointer")
        }
        try add(Int(length))
        let bytes = unsafe UnsafeBufferPointer(
            start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: Int(length))
        guard unsafe bytes.isValidUTF8 else {
            throw PayloadError(expected: "a \(what) in UTF-8", found: "invalid bytes")
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
        guard let index = unsafe KeyTable.firstRepeated(entries) else { return }
        throw PayloadError(expected: PayloadError.uniqueKeys, found: unsafe "\(entries[index].keyText.quoted()) twice")
    }

    static func object(of node: hslink_value) throws(PayloadError) -> UnsafeMutablePointer<hslink_object> {
        guard let object = unsafe node.`as`.object else {
            throw PayloadError(expected: "object", found: "a null pointer")
        }
        unsafe try ObjectCheck.check(object)
        return unsafe object
    }
}

/// The second pass: writes a measured tree into its own memory.
@safe
private struct TreeWriter {
    var nodes: UnsafeMutableRawPointer
    var text: UnsafeMutableRawPointer
    var objects: UnsafeMutablePointer<AnyObject?>

    init(memory: UnsafeMutableRawPointer, nodesSize: Int, objects: UnsafeMutablePointer<AnyObject?>) {
        unsafe nodes = unsafe memory
        unsafe text = unsafe memory + nodesSize
        unsafe self.objects = unsafe objects
    }

    mutating func copy(_ node: hslink_value) -> hslink_value {
        var copy = unsafe node.normalized
        switch unsafe Int(node.tag) {
        case HSLINK_STRING: unsafe copy.`as`.utf8 = unsafe move(node.`as`.utf8, node.length)
        case HSLINK_BYTES:
            let moved = unsafe move(UnsafeRawPointer(node.`as`.bytes)?.assumingMemoryBound(to: CChar.self), node.length)
            unsafe copy.`as`.bytes = unsafe UnsafeRawPointer(moved)?.assumingMemoryBound(to: UInt8.self)
        case HSLINK_ARRAY:
            let items = unsafe node.itemNodes
            let target = unsafe reserve(hslink_value.self, items.count)
            for index in items.indices { unsafe (target + index).initialize(to: self.copy(items[index])) }
            unsafe copy.`as`.items = unsafe UnsafePointer(target)
        case HSLINK_MAP:
            let entries = unsafe node.entryNodes
            let target = unsafe reserve(hslink_entry.self, entries.count)
            for index in entries.indices {
                let key = unsafe move(entries[index].key, entries[index].key_length)
                let value = unsafe self.copy(entries[index].value)
                unsafe (target + index).initialize(
                    to: hslink_entry(key: key, key_length: entries[index].key_length, reserved: 0, value: value))
            }
            unsafe copy.`as`.entries = unsafe UnsafePointer(target)
        case HSLINK_OBJECT:
            guard let object = unsafe node.`as`.object else { break }
            unsafe objects.pointee = unsafe LinkObject(retaining: object)
            unsafe objects += 1
        default: break
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
        unsafe start.copyShort(from: source, byteCount: Int(length))
        unsafe text += Int(length)
        return unsafe UnsafePointer(start.assumingMemoryBound(to: CChar.self))
    }
}

extension hslink_value {
    /// The value with integers in their only valid form: an unsigned integer that fits a signed one becomes signed.
    fileprivate var normalized: hslink_value {
        unsafe Int(tag) == HSLINK_UINT ? hslink_uint(`as`.u64) : self
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are well-formed UTF-8 (RFC 3629).
    package var isValidUTF8: Bool {
        unsafe isShortASCII || firstInvalidUTF8 == nil
    }

    /// Whether the bytes are few and all ASCII, as in most keys and names; checking them inline is faster than a call.
    private var isShortASCII: Bool {
        guard count <= 64, let base = baseAddress else { return isEmpty }
        let bytes = unsafe UnsafeRawPointer(base)
        var bits: UInt64 = 0
        var index = 0
        while index &+ 8 <= count {
            unsafe bits |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index &+= 8
        }
        if index &+ 4 <= count {
            unsafe bits |= UInt64(bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
            index &+= 4
        }
        while index < count {
            unsafe bits |= UInt64(base[index])
            index &+= 1
        }
        return bits & 0x8080_8080_8080_8080 == 0
    }

    /// The offset of the first bytes that are not UTF-8; nil if there are none.
    var firstInvalidUTF8: Int? {
        do {
            _ = unsafe try UTF8Span(validating: Span(_unsafeElements: self))
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }
}
