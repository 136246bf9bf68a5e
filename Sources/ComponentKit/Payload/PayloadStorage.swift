import CHSLink

/// The memory behind a payload: one allocation for nodes, entries and text, and the references
/// that keep its parts alive. Written once while it is built, read-only from then on.
@usableFromInline
final class PayloadStorage: ManagedBuffer<[AnyObject], UInt64> {
    /// - Parameter byteCount: how many bytes the tree needs.
    static func make(byteCount: Int, owners: [AnyObject] = []) -> PayloadStorage {
        let buffer = PayloadStorage.create(minimumCapacity: (byteCount + 7) / 8) { _ in owners }
        // `create` is documented to return an instance of the class it is called on.
        return unsafe unsafeDowncast(buffer, to: PayloadStorage.self)
    }

    /// The first byte, aligned for nodes. Valid while the storage is referenced.
    var memory: UnsafeMutableRawPointer {
        unsafe withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
    }

    /// References that live as long as this storage: storages of nested payloads, and objects.
    var owners: [AnyObject] {
        get { header }
        set { header = newValue }
    }
}
