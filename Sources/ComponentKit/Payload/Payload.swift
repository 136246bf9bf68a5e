public import CHSLink

/// A value that crosses the boundary: null, bool, integers, double, string, bytes, date, arrays and
/// maps of them, and objects (instances and closures).
///
/// A payload is immutable, cheap to copy (its parts are shared, not duplicated) and laid out in memory
/// as the boundary wants it: passing it to a component converts nothing. It is written as a literal,
/// without a `Dictionary` in between; the order of keys is kept:
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
/// Variables go in by `Payload(x)` or `.string(x)`, `.int(n)`, … A literal with a duplicate key is a
/// programming error and traps, as it does for `Dictionary`.
@safe
// Unchecked: the memory behind `node` is written before the payload is made and never after, and
// objects are usable from any thread by contract.
public struct Payload: @unchecked Sendable {
    /// The root, pointing into memory that `owner` keeps alive (or into constants of the program).
    @usableFromInline let node: hslink_value
    @usableFromInline let owner: AnyObject?

    @inlinable
    init(node: hslink_value, owner: AnyObject?) {
        unsafe self.node = unsafe node
        self.owner = owner
    }

    /// No value; also what a method without a result returns.
    @inlinable public static var null: Payload { unsafe Payload(node: hslink_null(), owner: nil) }

    /// What the value is.
    @inlinable public var kind: PayloadKind { unsafe PayloadKind(tag: node.tag) }

    /// Whether the value is null.
    @inlinable public var isNull: Bool { unsafe node.tag == UInt32(HSLINK_NULL) }

    /// Calls `body` with the payload in the form of the boundary.
    ///
    /// The pointer and everything it leads to is valid until `body` returns.
    @inlinable
    public func withUnsafeValue<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafePointer<hslink_value>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { extendLifetime(owner) }
        return try unsafe withUnsafePointer(to: node, body)
    }
}

/// What a payload value is.
///
/// `unknown` carries a tag of a later revision of the boundary: such a value travels on, and is
/// refused only where it would have to be encoded or printed.
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
    /// The word used in error messages and manifests.
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

/// The memory behind a payload, in one allocation: the references that keep its parts alive (storages of nested
/// payloads, and objects), then nodes, entries and text. Written once while it is built, read-only from then on.
///
/// The first word says how many references there is room for. It is no property of the class, since each look at
/// one would be checked for exclusive access, which costs as much as an entry.
@usableFromInline
final class PayloadStorage: ManagedBuffer<Void, Int> {
    /// - Parameters:
    ///   - byteCount: how many bytes the tree needs.
    ///   - ownerCount: how many references will be kept at most.
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

    /// The references, nil where none was put. Valid while the storage is referenced.
    var owners: UnsafeMutablePointer<AnyObject?> {
        // A reference is as long and as aligned as a word.
        unsafe UnsafeMutableRawPointer(words + 1).assumingMemoryBound(to: AnyObject?.self)
    }

    /// The first byte behind the references, aligned for nodes. Valid while the storage is referenced.
    var memory: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(owners + words.pointee) }
}
