import NXKit

/// A walk over the markers of a JPEG (ITU-T T.81, annex B.1), up to the first scan. Bytes between segments that belong
/// to none are skipped, as decoders do.
struct JPEGSegments {
    /// The limit on segments, and on windows of fill bytes and others between them. A colour profile takes up to 255
    /// segments.
    private static let most = 10_000
    /// The number of bytes read at once to find a marker, which any number of fill bytes may precede.
    private static let window = 16

    /// The position behind the last marker, or behind its segment if that was skipped.
    private(set) var offset: UInt64 = 2
    private var steps = 0

    /// Reads on to the next marker.
    ///
    /// - Returns: The byte behind FF.
    mutating func nextMarker(in file: borrowing FileBytes) throws(FileError) -> UInt8 {
        while steps < JPEGSegments.most {
            steps += 1
            let bytes = try file.read(at: offset, upTo: JPEGSegments.window)
            guard !bytes.isEmpty else {
                throw file.error(.truncated, "it ends at byte \(file.size), before its frame header")
            }
            guard let mark = bytes.firstIndex(of: 0xFF) else {
                offset += UInt64(bytes.count)
                continue
            }
            guard let index = bytes[mark...].firstIndex(where: { $0 != 0xFF }) else {
                // The last of the fill bytes may belong to the marker.
                offset += UInt64(max(bytes.count - 1, 1))
                continue
            }
            offset += UInt64(index) + 1
            // FF 00 stands for the byte FF among others.
            if bytes[index] != 0 { return bytes[index] }
        }
        throw file.error(
            .limitExceeded, "there are more than \(JPEGSegments.most) segments before its frame header")
    }

    /// Skips the segment of the marker that was read last, unless that stands alone.
    ///
    /// - Returns: The offset and the size of the segment's content.
    @discardableResult
    mutating func skip(_ marker: UInt8, in file: borrowing FileBytes) throws(FileError) -> (offset: UInt64, count: Int)
    {
        // TEM and RST.
        if marker == 0x01 || 0xD0...0xD7 ~= marker { return (offset, 0) }
        var reader = try file.reader(at: offset, count: 2)
        let length = Int(try reader.uint16())
        guard length >= 2 else {
            throw reader.error(.malformed, "a segment of at least 2 bytes was expected, found \(length)")
        }
        defer { offset += UInt64(length) }
        return (offset + 2, length - 2)
    }
}
