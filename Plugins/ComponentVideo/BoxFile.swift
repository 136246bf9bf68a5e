import NXKit

/// Reads boxes, their values and their tables from a file, and counts what it reads against the limits.
///
/// A box's own length is never believed further than what the box lies in, and no length decides how much memory is
/// taken.
final class BoxFile {
    let file: FileBytes
    let limits: VideoLimits
    private var boxCount = 0
    private var entryCount = 0

    init(_ file: consuming FileBytes, limits: VideoLimits) {
        self.file = file
        self.limits = limits
    }

    /// The box at `cursor`, which moves on behind it; nil when less than a box's header is left. QuickTime ends some
    /// rows with four zero bytes.
    ///
    /// - Throws: `malformed` for a length below that of the header, or, inside a box, beyond its end;
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
        guard size >= headerSize else {
            let expected = "a box of at least \(headerSize) bytes was expected at byte \(start)"
            throw file.error(.malformed, "\(expected), but '\(type)' says that it has \(size)")
        }
        guard size <= room || cursor.isFile else {
            let place = "the box '\(type)' at byte \(start)"
            throw file.error(.malformed, "\(place) is \(size) bytes long, but the box around it has only \(room) left")
        }
        cursor.position = start + min(size, room)
        return Box(
            type: type, start: start, body: start + headerSize, end: cursor.position, isCutOff: size > room)
    }

    /// A reader over the first `count` bytes of the body of `box`.
    ///
    /// - Throws: `malformed` when the body is shorter.
    func reader(_ box: Box, from offset: UInt64 = 0, count: Int) throws(FileError) -> ByteReader {
        guard offset + UInt64(count) <= box.size else {
            let expected = "the box '\(box.type)' at byte \(box.start) was expected to have a body of"
            throw file.error(.malformed, "\(expected) at least \(offset + UInt64(count)) bytes, found \(box.size)")
        }
        return try file.reader(at: box.body + offset, count: count)
    }

    /// A reader over the body of `box`, of its first `count` bytes when it is longer.
    func reader(_ box: Box, upTo count: Int) throws(FileError) -> ByteReader {
        try reader(box, count: Int(min(UInt64(count), box.size)))
    }

    /// Calls `visit` with each entry of a table in `box`, read piece by piece.
    ///
    /// - Parameters:
    ///   - offset: Bytes of the body in front of the table.
    ///   - count: The number of entries that the box declares.
    ///   - entrySize: Bytes of an entry.
    ///   - visit: Reads one entry; it may read less than all of it.
    /// - Throws: `malformed` when the table is longer than the box; `limitExceeded`; what `visit` throws.
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
                // To the next entry, however much of this one was read.
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
    /// Where its header begins in the file.
    let start: UInt64
    /// Where its body begins.
    let body: UInt64
    /// Where it ends: never behind the end of what it lies in.
    let end: UInt64
    /// Whether its own length would reach further than `end`.
    let isCutOff: Bool

    /// Bytes in its body.
    var size: UInt64 { end - body }
}

/// A place in a row of boxes.
struct BoxCursor {
    /// Where the next box begins.
    var position: UInt64
    /// Where the row ends.
    let end: UInt64
    /// Whether the row is the file itself, whose last box may be cut off, and not the body of a box.
    let isFile: Bool

    /// The boxes in the body of `box`, from `offset` bytes behind its beginning on.
    init(in box: Box, from offset: UInt64 = 0) {
        position = box.body + min(offset, box.size)
        end = box.end
        isFile = false
    }

    /// The boxes of a file of `size` bytes.
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

    /// Reads them. Any version is accepted.
    init(_ reader: inout ByteReader) throws(FileError) {
        version = try reader.uint8()
        flags = try reader.uint24()
    }

    /// Reads them from a box whose version 0 has 32-bit times and version 1 has 64-bit ones.
    ///
    /// - Throws: `unsupported` for a later version, whose layout is not known.
    init(timesOf type: FourCC, _ reader: inout ByteReader) throws(FileError) {
        try self.init(&reader)
        guard version <= 1 else {
            throw reader.error(.unsupported, "version 0 or 1 of the box '\(type)' was expected, found \(version)")
        }
    }

    /// Bytes of a time in this version.
    var timeSize: Int { version == 0 ? 4 : 8 }

    /// The next time or duration.
    func time(_ reader: inout ByteReader) throws(FileError) -> UInt64 {
        version == 0 ? UInt64(try reader.uint32()) : try reader.uint64()
    }

    /// The next duration; nil when it is 0 or all ones, which say that it is not known.
    func duration(_ reader: inout ByteReader) throws(FileError) -> UInt64? {
        let value = try time(&reader)
        return value == 0 || value == (version == 0 ? UInt64(UInt32.max) : .max) ? nil : value
    }
}
