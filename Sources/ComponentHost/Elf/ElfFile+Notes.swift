import Glibc

extension ElfFile {
    /// All note segments of a file together; a manifest of this size is no manifest.
    private static let maximumNoteBytes: UInt64 = 4 << 20

    /// Calls `body` with every note of the owner "HSL", in the order of the file; others are skipped.
    ///
    /// - Parameter body: what it is given is valid until it returns; it must not read from this file.
    /// - Throws: `malformed` when a note reaches beyond its segment or the segments are larger than 4 MB,
    ///   `truncated` or `notReadable` when reading fails, and what `body` throws.
    package func forEachNote(
        _ body: (ElfNote) throws(ComponentFileError) -> Void
    ) throws(ComponentFileError) {
        var total: UInt64 = 0
        for segment in segments where Int32(bitPattern: segment.type) == PT_NOTE {
            total += min(segment.fileSize, ElfFile.maximumNoteBytes + 1)
            guard total <= ElfFile.maximumNoteBytes else {
                throw .malformed("its notes are larger than \(ElfFile.maximumNoteBytes >> 20) MB")
            }
            let bytes = unsafe try bytes(segment.offset, Int(segment.fileSize))
            var cursor = unsafe ElfNoteCursor(bytes)
            while let note = unsafe try cursor.next() { unsafe try body(note) }
        }
    }
}
