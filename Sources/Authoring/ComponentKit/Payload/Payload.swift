public import CHSLink

/// A value that crosses the boundary: null, a bool, an integer, a double, a string, bytes, a date, an array or map of
/// such values, or an object (an instance or a closure).
///
/// A payload is immutable and cheap to copy, because copies share their storage. Its memory layout is the one that the
/// boundary uses, so passing it to a component needs no conversion. Write payloads as literals; no `Dictionary` is
/// created, and the order of the keys is kept:
///
///     let request: Payload = [
///         "path": "clip.mp4",
///         "limit": 10,
///         "tags": ["a", "b"],
///         "owner": ["name": .string(name), "since": .date(Timestamp(seconds: 0))],
///     ]
///     let path = try request.string("path")
///     let name = try request.value("owner", "name").string()
///
/// Wrap variables in `Payload(x)`, `.string(x)`, `.int(n)` and so on. A literal with a duplicate key is a programming
/// error and traps, as it does for `Dictionary`.
@safe
// Unchecked: the memory behind `node` is written only before the payload is created, and objects may by contract be
// used from any thread.
public struct Payload: @unchecked Sendable {
    /// The root; it points into memory that `owner` keeps alive, or to constants of the program.
    @usableFromInline let node: hslink_value
    @usableFromInline let owner: AnyObject?

    @inlinable
    init(node: hslink_value, owner: AnyObject?) {
        unsafe self.node = unsafe node
        self.owner = owner
    }

    /// The absence of a value; also the result of a method that returns nothing.
    @inlinable public static var null: Payload { unsafe Payload(node: hslink_null(), owner: nil) }

    /// The kind of the value.
    @inlinable public var kind: PayloadKind { unsafe PayloadKind(tag: node.tag) }

    /// Whether the value is null.
    @inlinable public var isNull: Bool { unsafe node.tag == UInt32(HSLINK_NULL) }

    /// Calls `body` with the payload as the boundary's C struct.
    ///
    /// The pointer, and everything reachable from it, is valid only until `body` returns.
    @inlinable
    public func withUnsafeValue<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafePointer<hslink_value>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { extendLifetime(owner) }
        return try unsafe withUnsafePointer(to: node, body)
    }
}

extension Payload {
    /// The value of `key`; nil if this is not a map or has no such key. Shares memory with this payload.
    @inlinable
    public subscript(key: String) -> Payload? {
        guard let node = unsafe node.find(key) else { return nil }
        return unsafe Payload(node: node, owner: owner)
    }

    /// The item at `index`; nil if this is not an array or the index is out of range.
    public subscript(index: Int) -> Payload? {
        guard kind == .array, unsafe node.itemNodes.indices.contains(index) else { return nil }
        return unsafe Payload(node: node.itemNodes[index], owner: owner)
    }

    /// Returns the value at a nested path, as in `value("tracks", 0, "codec")`.
    ///
    /// - Throws: ``PayloadError`` with the path up to the first step that does not exist.
    public func value(_ path: PayloadError.PathElement...) throws(PayloadError) -> Payload {
        var value = self
        for (depth, element) in path.enumerated() {
            let next: Payload?
            switch element {
            case .key(let key): next = value[key]
            case .index(let index): next = value[index]
            }
            guard let next else {
                let isContainer = value.kind == .map || value.kind == .array
                throw PayloadError(
                    path: Array(path[...depth]), expected: "a value",
                    found: isContainer ? "nothing" : unsafe "\(value.node.kindSummary) instead of a container")
            }
            value = next
        }
        return value
    }

    /// Returns the items of an array, in order; each shares memory with this payload.
    ///
    /// - Throws: ``PayloadError`` if the value is not an array.
    public func items() throws(PayloadError) -> [Payload] {
        guard kind == .array else { throw unsafe PayloadError(expected: "array", found: node.kindSummary) }
        return unsafe node.itemNodes.map { unsafe Payload(node: $0, owner: owner) }
    }

    /// Returns the keys and values of a map, in order; each value shares memory with this payload.
    ///
    /// - Throws: ``PayloadError`` if the value is not a map.
    public func entries() throws(PayloadError) -> [(key: String, value: Payload)] {
        guard kind == .map else { throw unsafe PayloadError(expected: "map", found: node.kindSummary) }
        return unsafe node.entryNodes.map { entry in
            unsafe (key: entry.keyText, value: Payload(node: entry.value, owner: owner))
        }
    }

    /// Returns the object of an object value.
    ///
    /// - Throws: ``PayloadError`` if the value is not an object.
    public func object() throws(PayloadError) -> LinkObject {
        guard kind == .object, let object = unsafe owner as? LinkObject ?? node.retainedObject else {
            throw unsafe PayloadError(expected: "object", found: node.kindSummary)
        }
        return object
    }

    /// Returns the object of `key`.
    ///
    /// - Throws: ``PayloadError`` if the key is missing or its value is not an object.
    public func object(_ key: String) throws(PayloadError) -> LinkObject {
        do {
            return try value(.key(key)).object()
        } catch {
            throw error.path.isEmpty ? error.within(.key(key)) : error
        }
    }
}

extension hslink_entry {
    /// The key as a string; bytes that are not UTF-8 are replaced, which cannot happen in an owned payload.
    package var keyText: String {
        unsafe String(decoding: keyBytes, as: UTF8.self)
    }
}

extension hslink_value {
    /// A new reference to the object of an object node; nil for other nodes.
    fileprivate var retainedObject: LinkObject? {
        guard unsafe Int(tag) == HSLINK_OBJECT, let object = unsafe `as`.object else { return nil }
        return unsafe LinkObject(retaining: object)
    }
}

/// The kind of a payload value.
///
/// `unknown` carries a tag from a later revision of the boundary. Such a value can be passed on; it is refused only
/// where it would have to be encoded.
public enum PayloadKind: Sendable, Hashable {
    case null, bool, int, uint, double, string, bytes, date, array, map, object
    case unknown(UInt32)

    /// The kind for a tag of `hslink_value`.
    @inlinable
    public init(tag: UInt32) {
        switch Int(tag) {
        case HSLINK_NULL: self = .null
        case HSLINK_BOOL: self = .bool
        case HSLINK_INT: self = .int
        case HSLINK_UINT: self = .uint
        case HSLINK_DOUBLE: self = .double
        case HSLINK_STRING: self = .string
        case HSLINK_BYTES: self = .bytes
        case HSLINK_DATE: self = .date
        case HSLINK_ARRAY: self = .array
        case HSLINK_MAP: self = .map
        case HSLINK_OBJECT: self = .object
        default: self = .unknown(tag)
        }
    }
}

extension PayloadKind: CustomStringConvertible {
    /// The name of the kind in error messages and manifests.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .date: "date"
        case .array: "array"
        case .map: "map"
        case .object: "object"
        case .unknown(let tag): "unknown(\(tag))"
        }
    }
}

/// The memory behind a payload, in one allocation: references that keep its parts alive (storages of nested payloads,
/// and objects), followed by nodes, entries and text. It is written while the payload is built and never changes
/// afterwards.
///
/// The first word is the capacity for references. It is not a stored property, because every read of a property would
/// be checked for exclusive access, which costs as much as copying a map entry.
@usableFromInline
final class PayloadStorage: ManagedBuffer<Void, Int> {
    /// - Parameters:
    ///   - byteCount: The size of the tree in bytes.
    ///   - ownerCount: The maximum number of references to keep.
    static func make(byteCount: Int, ownerCount: Int = 0) -> PayloadStorage {
        let wordCount = 1 + ownerCount + (byteCount + 7) / MemoryLayout<Int>.stride
        let buffer = PayloadStorage.create(minimumCapacity: wordCount) { _ in }
        // `create` is documented to return an instance of the class it is called on.
        let storage = unsafe unsafeDowncast(buffer, to: PayloadStorage.self)
        unsafe storage.words.initialize(to: ownerCount)
        let owners = unsafe storage.owners
        for index in 0..<ownerCount { unsafe (owners + index).initialize(to: nil) }
        return storage
    }

    deinit {
        let owners = unsafe owners
        for index in unsafe 0..<words.pointee { unsafe (owners + index).pointee = nil }
    }

    private var words: UnsafeMutablePointer<Int> { unsafe withUnsafeMutablePointerToElements { unsafe $0 } }

    /// The references; unused slots are nil. Valid while the storage is referenced.
    var owners: UnsafeMutablePointer<AnyObject?> {
        // A reference has the size and alignment of a word.
        unsafe UnsafeMutableRawPointer(words + 1).assumingMemoryBound(to: AnyObject?.self)
    }

    /// The first byte after the references, aligned for nodes. Valid while the storage is referenced.
    var memory: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(owners + words.pointee) }
}
