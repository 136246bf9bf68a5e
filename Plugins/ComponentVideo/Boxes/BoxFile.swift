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
