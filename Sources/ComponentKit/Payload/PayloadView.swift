public import CHSLink

/// A borrowed payload, readable for the length of a call without copying it.
///
/// It cannot be stored: what has to outlive the call is taken out as Swift values, or copied as a whole
/// with ``copy()``.
@safe
public struct PayloadView: ~Copyable, PayloadReading {
    /// The root as the boundary has it; valid as long as the view is.
    public let unsafeNode: hslink_value

    /// - Parameter value: valid for as long as the view is used.
    @inlinable
    public init(unsafeBorrowing value: UnsafePointer<hslink_value>) { unsafe unsafeNode = unsafe value.pointee }

    @inlinable init(node: hslink_value) { unsafe unsafeNode = unsafe node }

    /// What the value is.
    @inlinable public var kind: PayloadKind { unsafe PayloadKind(tag: unsafeNode.tag) }

    /// Whether the value is null.
    @inlinable public var isNull: Bool { unsafe unsafeNode.tag == UInt32(HSLINK_NULL) }

    /// An owned copy of the whole tree, in one allocation (and a reference for each object).
    ///
    /// - Throws: when the tree is deeper than 64 levels, has more than 1,000,000 nodes or 256 MB, text that
    ///   is not UTF-8, a key twice, or broken pointers.
    public func copy() throws(PayloadError) -> Payload { try unsafe Payload(copying: unsafeNode, limits: .standard) }

    /// Lends the value of `key` to `body`; its errors name the key. Nothing is copied.
    ///
    /// - Throws: when there is no such key, or what `body` throws.
    public borrowing func withValue<Result>(
        _ key: String, _ body: (borrowing PayloadView) throws(PayloadError) -> Result
    ) throws(PayloadError) -> Result {
        let node = try unsafe unsafeNode.read(key, "a value") { unsafe $0 }
        do {
            return try unsafe body(PayloadView(node: node))
        } catch {
            throw error.within(.key(key))
        }
    }

    /// Lends the items of an array to `body`, in order; errors name the index.
    ///
    /// - Throws: when the value is not an array, or what `body` throws.
    public borrowing func forEachItem(
        _ body: (borrowing PayloadView) throws(PayloadError) -> Void
    ) throws(PayloadError) {
        guard kind == .array else { throw unsafe PayloadError(expected: "array", found: unsafeNode.kindSummary) }
        for unsafe(index, item) in unsafe unsafeNode.itemNodes.enumerated() {
            do {
                try unsafe body(PayloadView(node: item))
            } catch {
                throw error.within(.index(index))
            }
        }
    }
}
