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
