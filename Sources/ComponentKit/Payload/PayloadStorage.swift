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
