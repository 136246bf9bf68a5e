import CHSLink
import Glibc

/// A note with the owner "HSL", which is part of a manifest.
@unsafe
package struct ElfNote {
    /// The type of the note, such as `HSLINK_NOTE_COMPONENT`.
    package let type: UInt32
    /// The text without trailing padding; valid only while the memory that contains the note is.
    package let text: UnsafeRawBufferPointer
}

/// Iterates over the notes in a note segment.
///
/// A note consists of three 32-bit words (size of the owner's name, size of the content, type), the name and the
/// content, each padded to 4 bytes. Segments with an alignment of 8 pad to 8. That padding, and the padding that the
/// address sanitizer puts between records, consists of zero words, which are skipped.
@unsafe
struct ElfNoteCursor {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    /// Returns the next note with the owner "HSL"; notes with other owners are skipped.
    ///
    /// - Returns: nil at the end.
    /// - Throws: `malformed` if a note extends beyond the segment.
    mutating func next() throws(ComponentFileError) -> ElfNote? {
        while let nameSize = unsafe bytes.integer(UInt32.self, at: position) {
            if nameSize == 0 {
                unsafe position += 4
                continue
            }
            guard let textSize = unsafe bytes.integer(UInt32.self, at: position + 4),
                let type = unsafe bytes.integer(UInt32.self, at: position + 8)
            else { break }
            let name = unsafe position + 12
            let text = name + Int(nameSize).roundedUpToWord
            let end = text + Int(textSize)
            guard unsafe end <= bytes.count else {
                throw unsafe .malformed(
                    "the note at offset \(position) of its segment ends at \(end), but the segment at \(bytes.count)")
            }
            unsafe position = text + Int(textSize).roundedUpToWord
            guard nameSize == 4, unsafe bytes.integer(UInt32.self, at: name) == ElfNoteCursor.owner else { continue }
            return unsafe ElfNote(type: type, text: UnsafeRawBufferPointer(rebasing: bytes[text..<end]).withoutPadding)
        }
        return nil
    }

    /// "HSL\0" as a little-endian word.
    private static let owner: UInt32 = 0x004C_5348
}

extension Int {
    /// The value rounded up to a multiple of 4. A 32-bit size cannot overflow it.
    fileprivate var roundedUpToWord: Int { (self + 3) & ~3 }
}

extension UnsafeRawBufferPointer {
    /// The bytes without the trailing zeros (C) or spaces (Swift) that pad a note.
    fileprivate var withoutPadding: UnsafeRawBufferPointer {
        var end = count
        while end > 0, unsafe self[end - 1] == 0 || self[end - 1] == 0x20 { end -= 1 }
        return unsafe UnsafeRawBufferPointer(rebasing: self[..<end])
    }
}

extension ElfFile {
    /// The limit on the total size of all note segments in a file, far above any real manifest.
    private static let maximumNoteBytes: UInt64 = 4 << 20

    /// Calls `body` with every note that has the owner "HSL", in file order; other notes are skipped.
    ///
    /// - Parameter body: Receives a note that is valid until it returns. It must not read from this file.
    /// - Throws: `malformed` if a note extends beyond its segment or the segments are larger than 4 MB; `truncated` or
    ///   `notReadable` if reading fails; any error that `body` throws.
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
