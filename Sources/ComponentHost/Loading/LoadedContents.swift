import CGlibc
import ComponentKit
import Glibc

/// What a file holds, in 64 bits: tells a file that was written to from one whose permissions were changed. Those who
/// may write to the file are trusted, so that nobody looks for two files with the same.
struct ContentDigest: Hashable, Sendable {
    private let value: UInt64

    /// Reads the file to its end.
    ///
    /// - Throws: `notReadable` with the system's words.
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

    /// A multiple of what hslink_digest takes at a time.
    private static let pieceSize = 1 << 18
}

/// What files held when they were loaded, so that one is known again whose permissions, owner, name or links were
/// changed: to load what lies there, nobody has to restart for that. Of the whole process.
enum LoadedContents {
    private struct State: Hashable {
        let path: String
        let identity: FileIdentity
    }

    private static let contents = Lock<[State: ContentDigest]>([:])

    /// Remembers what a component's file holds.
    ///
    /// - Parameters:
    ///   - file: as it was listed.
    ///   - opened: the same, open.
    static func note(
        _ file: ComponentFile, _ opened: borrowing OpenFile
    ) throws(ComponentFileError) -> ContentDigest {
        let digest = try content(of: opened)
        let listed = State(path: file.path, identity: file.identity)
        contents.withLock { $0[listed] = digest }
        return digest
    }

    /// Whether `found` is the file that was loaded as `file`, with the same content, although its last time differs.
    /// False for a file that was not loaded.
    static func isSame(_ file: ComponentFile, _ found: ComponentFile) -> Bool {
        guard found.path == file.path, found.identity.differsOnlyInChangeTime(from: file.identity),
            let loaded = contents.withLock({ $0[State(path: file.path, identity: file.identity)] })
        else { return false }
        // Its owner has been checked.
        var checker = TrustChecker(policy: .unchecked)
        guard let opened = try? checker.openFile(path: found.path), opened.identity == found.identity,
            let digest = try? content(of: opened)
        else { return false }
        return digest == loaded
    }

    /// Each state of a file is read once.
    private static func content(of file: borrowing OpenFile) throws(ComponentFileError) -> ContentDigest {
        let state = State(path: file.path, identity: file.identity)
        if let known = contents.withLock({ $0[state] }) { return known }
        let digest = try ContentDigest(file)
        contents.withLock { $0[state] = digest }
        return digest
    }
}
