import NXKit

/// Reads boxes, their values and their tables from a file, and counts what it reads against the limits.
///
/// The length of a box is limited by the box or file that contains it, and no length determines how much memory is
/// allocated.
final class BoxFile {
    let file: FileBytes
    let limits: VideoLimits
    /// Whether a wrong length in a box that describes nothing of the film is passed over.
    private let isLenient: Bool
    private var boxCount = 0
    private var entryCount = 0

    /// Boxes within the description that a film can be described without.
    private static let unneeded: Set<FourCC> = ["udta", "meta", "free", "skip", "wide", "uuid", "junk"]

    init(_ file: consuming FileBytes, limits: VideoLimits, isLenient: Bool = false) {
        self.file = file
        self.limits = limits
        self.isLenient = isLenient
    }

    /// Returns the box at `cursor` and moves the cursor past it; nil if less than a box's header is left. QuickTime
    /// ends some rows with four zero bytes.
    ///
    /// - Throws: `malformed` if the length is less than the header's, or reaches beyond the end of the enclosing box;
    ///   `limitExceeded`.
    func next(_ cursor: inout BoxCursor) throws(FileError) -> Box? {
        let room = cursor.end - cursor.position
        guard room >= 8 else { return nil }
        boxCount += 1
        guard boxCount <= limits.boxes else {
            throw file.error(.limitExceeded, "there are more than \(limits.boxes) boxes")
        }
        let start = cursor.position
        var header = try file.reader(at: start, count: 8)
        var size = UInt64(try header.uint32())
        let type = try header.fourCC()
        var headerSize: UInt64 = 8
        switch size {
        case 0:
            size = room
        case 1 where room < 16:
            headerSize = room
            size = .max
        case 1:
            headerSize = 16
            var large = try file.reader(at: start + 8, count: 8)
            size = try large.uint64()
        default:
            break
        }
        if isLenient, !cursor.isFile, BoxFile.unneeded.contains(type), size < headerSize || size > room {
            // Where the next box begins is not known.
            cursor.position = cursor.end
            cursor.brokenType = type
            return nil
        }
        guard size >= headerSize else {
            let expected = "a box of at least \(headerSize) bytes was expected at byte \(start)"
            throw file.error(.malformed, "\(expected), but '\(type)' declares \(size)")
        }
        guard size <= room || cursor.isFile else {
            let place = "the box '\(type)' at byte \(start)"
            throw file.error(.malformed, "\(place) is \(size) bytes long, but the box around it has only \(room) left")
        }
        cursor.position = start + min(size, room)
        return Box(
            type: type, start: start, body: start + headerSize, end: cursor.position, isCutOff: size > room)
    }

    /// Returns a reader over `count` bytes of the body of `box`, starting at `offset`.
    ///
    /// - Throws: `malformed` if the body is shorter.
    func reader(_ box: Box, from offset: UInt64 = 0, count: Int) throws(FileError) -> ByteReader {
        guard offset + UInt64(count) <= box.size else {
            let expected = "the box '\(box.type)' at byte \(box.start) was expected to have a body of"
            throw file.error(.malformed, "\(expected) at least \(offset + UInt64(count)) bytes, found \(box.size)")
        }
        return try file.reader(at: box.body + offset, count: count)
    }

    /// Returns a reader over the body of `box`, limited to its first `count` bytes.
    func reader(_ box: Box, upTo count: Int) throws(FileError) -> ByteReader {
        try reader(box, count: Int(min(UInt64(count), box.size)))
    }

    /// Calls `visit` with each entry of a table in `box`, read piece by piece.
    ///
    /// - Parameters:
    ///   - offset: The number of bytes before the table in the body.
    ///   - count: The number of entries that the box declares.
    ///   - entrySize: The size of an entry in bytes.
    ///   - visit: Reads one entry, or a part of it.
    /// - Throws: `malformed` if the table is longer than the box; `limitExceeded`; errors from `visit`.
    func table(
        of box: Box, from offset: UInt64, count: UInt32, entrySize: Int,
        _ visit: (inout ByteReader) throws(FileError) -> Void
    ) throws(FileError) {
        guard UInt64(count) * UInt64(entrySize) <= box.size - min(offset, box.size) else {
            let place = "the box '\(box.type)' at byte \(box.start) declares \(count) entries of \(entrySize) bytes"
            throw file.error(.malformed, "\(place), but has only \(box.size) bytes")
        }
        entryCount += Int(count)
        guard entryCount <= limits.tableEntries else {
            throw file.error(.limitExceeded, "its tables have more than \(limits.tableEntries) entries")
        }
        var (position, left) = (box.body + offset, Int(count))
        while left > 0 {
            let piece = min(left, 65_536 / entrySize)
            var reader = try file.reader(at: position, count: piece * entrySize)
            for index in 1...piece {
                try visit(&reader)
                // Move to the next entry, even if this one was only partly read.
                try reader.skip(reader.remaining - (piece - index) * entrySize)
            }
            position += UInt64(piece * entrySize)
            left -= piece
        }
    }
}

/// A box, QuickTime's atom: a length, a type, and a body of values or further boxes (ISO/IEC 14496-12, section 4.2).
struct Box {
    let type: FourCC
    /// The offset of its header in the file.
    let start: UInt64
    /// The offset of its body.
    let body: UInt64
    /// The offset of its end, never beyond the end of the enclosing box or file.
    let end: UInt64
    /// Whether its declared length reaches beyond `end`.
    let isCutOff: Bool

    /// The size of its body in bytes.
    var size: UInt64 { end - body }
}

/// A position in a row of boxes.
struct BoxCursor {
    /// The offset of the next box.
    var position: UInt64
    /// The offset of the end of the row.
    let end: UInt64
    /// Whether the row is the file itself, whose last box may be cut off, rather than the body of a box.
    let isFile: Bool
    /// The type of the box with a wrong length that ended the row early; nil if none did.
    var brokenType: FourCC?

    /// The boxes in the body of `box`, starting at `offset`.
    init(in box: Box, from offset: UInt64 = 0) {
        position = box.body + min(offset, box.size)
        end = box.end
        isFile = false
    }

    /// The boxes in a file of `size` bytes.
    init(fileOf size: UInt64) {
        position = 0
        end = size
        isFile = true
    }
}

/// The version and flags at the beginning of a full box's body (ISO/IEC 14496-12, section 4.2).
struct FullBoxHeader {
    let version: UInt8
    let flags: UInt32

    /// Reads the version and the flags. Any version is accepted.
    init(_ reader: inout ByteReader) throws(FileError) {
        version = try reader.uint8()
        flags = try reader.uint24()
    }

    /// Reads the version and the flags of a box that has 32-bit times in version 0 and 64-bit times in version 1.
    ///
    /// - Throws: `unsupported` for a later version, whose layout is not known.
    init(timesOf type: FourCC, _ reader: inout ByteReader) throws(FileError) {
        try self.init(&reader)
        guard version <= 1 else {
            throw reader.error(.unsupported, "version 0 or 1 of the box '\(type)' was expected, found \(version)")
        }
    }

    /// The size of a time in this version, in bytes.
    var timeSize: Int { version == 0 ? 4 : 8 }

    /// Reads the next time or duration.
    func time(_ reader: inout ByteReader) throws(FileError) -> UInt64 {
        version == 0 ? UInt64(try reader.uint32()) : try reader.uint64()
    }

    /// Reads the next duration; nil if it is 0 or all ones, which mean unknown.
    func duration(_ reader: inout ByteReader) throws(FileError) -> UInt64? {
        let value = try time(&reader)
        return value == 0 || value == (version == 0 ? UInt64(UInt32.max) : .max) ? nil : value
    }
}
