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
/// Variables go in by `Payload(x)` or `.string(x)`, `.int(n)`, … A literal with one key twice is a
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
