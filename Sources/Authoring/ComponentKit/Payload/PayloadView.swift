public import CHSLink

/// A borrowed payload that can be read, without copying, for the duration of a call.
///
/// It cannot be stored. To keep parts of it beyond the call, read them as Swift values, or copy the whole payload with
/// ``copy()``.
@safe
public struct PayloadView: ~Copyable, PayloadReading {
    /// The root as the boundary's C struct; valid as long as the view is.
    public let unsafeNode: hslink_value

    /// - Parameter value: The value to borrow; it must stay valid for as long as the view is used.
    @inlinable
    public init(unsafeBorrowing value: UnsafePointer<hslink_value>) { unsafe unsafeNode = unsafe value.pointee }

    @inlinable init(node: hslink_value) { unsafe unsafeNode = unsafe node }

    /// The kind of the value.
    @inlinable public var kind: PayloadKind { unsafe PayloadKind(tag: unsafeNode.tag) }

    /// Whether the value is null.
    @inlinable public var isNull: Bool { unsafe unsafeNode.tag == UInt32(HSLINK_NULL) }

    /// Returns an owned copy of the whole tree, in one allocation (plus a reference for each object).
    ///
    /// - Throws: ``PayloadError`` if the tree is deeper than 64 levels, has more than 1,000,000 nodes, takes more than
    ///   256 MB, or contains text that is not UTF-8, a duplicate key, or a broken pointer.
    public func copy() throws(PayloadError) -> Payload { try unsafe Payload(copying: unsafeNode, limits: .standard) }

    /// Calls `body` with a view of the value of `key`, without copying it; errors that `body` throws are prefixed with
    /// the key.
    ///
    /// - Throws: ``PayloadError`` if the key is missing, or the error that `body` throws.
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

    /// Calls `body` with a view of each item of an array, in order; errors that `body` throws are prefixed with the
    /// index.
    ///
    /// - Throws: ``PayloadError`` if the value is not an array, or the error that `body` throws.
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
