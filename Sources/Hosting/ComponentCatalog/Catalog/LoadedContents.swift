import CGlibc
import ComponentKit
import Glibc
import SystemSupport

/// A 64-bit digest of a file's content. It tells a rewritten file from one whose permissions have changed. Only trusted
/// users can write to the file, so it does not have to resist deliberate collisions.
package struct ContentDigest: Hashable, Sendable {
    private let value: UInt64

    /// Reads the whole file.
    ///
    /// - Throws: `ComponentFileError` with code `notReadable` and the system's error message.
    init(_ file: borrowing OpenFile) throws(ComponentFileError) {
        var buffer = FileBuffer(capacity: ContentDigest.pieceSize)
        var value: UInt64 = 0
        var position: UInt64 = 0
        while true {
            try buffer.fill(ContentDigest.pieceSize, at: position, from: file.descriptor)
            let bytes = unsafe buffer.bytes
            guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else { break }
            value = unsafe hslink_digest(value, start, bytes.count)
            position += UInt64(bytes.count)
        }
        self.value = value
    }

    /// A multiple of the block size of hslink_digest.
    private static let pieceSize = 1 << 18
}

/// The digests of loaded files. With its digest a file can be recognised after a change of its permissions, owner, name
/// or links, so such a change does not require a restart. Shared by the whole process.
package enum LoadedContents {
    private struct State: Hashable {
        let path: ExactText
        let identity: FileIdentity

        init(path: String, identity: FileIdentity) {
            self.path = ExactText(path)
            self.identity = identity
        }
    }

    private static let contents = Lock<[State: ContentDigest]>([:])

    /// Remembers the content of a component's file.
    ///
    /// - Parameters:
    ///   - file: the file as it was listed.
    ///   - opened: the same file, open.
    /// - Returns: The digest of its content.
    package static func note(
        _ file: ComponentFile, _ opened: borrowing OpenFile
    ) throws(ComponentFileError) -> ContentDigest {
        let digest = try content(of: opened)
        let listed = State(path: file.path, identity: file.identity)
        contents.withLock { $0[listed] = digest }
        return digest
    }

    /// Whether `found` is the file that was loaded as `file`, with the same content, although its change time differs.
    /// False if `file` was not loaded.
    static func isSame(_ file: ComponentFile, _ found: ComponentFile) -> Bool {
        guard found.path.isExactly(file.path), found.identity.differsOnlyInChangeTime(from: file.identity),
            let loaded = contents.withLock({ $0[State(path: file.path, identity: file.identity)] })
        else { return false }
        // Its owner has already been checked.
        var checker = TrustChecker(policy: .unchecked)
        guard let opened = try? checker.openFile(path: found.path), opened.identity == found.identity,
            let digest = try? content(of: opened)
        else { return false }
        return digest == loaded
    }

    /// Returns the digest of a file. Each state of a file is read only once.
    package static func content(of file: borrowing OpenFile) throws(ComponentFileError) -> ContentDigest {
        let state = State(path: file.path, identity: file.identity)
        if let known = contents.withLock({ $0[state] }) { return known }
        let digest = try ContentDigest(file)
        contents.withLock { $0[state] = digest }
        return digest
    }
}
