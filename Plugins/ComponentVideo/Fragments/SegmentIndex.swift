import NXKit

/// The segment index `sidx` (ISO/IEC 14496-12, section 8.16.3).
enum SegmentIndex {
    /// The durations of all subsegments together.
    ///
    /// - Throws: `malformed` when the box contradicts itself; `limitExceeded`.
    static func duration(_ box: Box, _ boxes: BoxFile) throws(FileError) -> MediaTime {
        var reader = try boxes.reader(box, upTo: 32)
        let header = try FullBoxHeader(timesOf: box.type, &reader)
        try reader.skip(4)  // the track that it counts in
        let timescale = try reader.timescale(of: box)
        try reader.skip(2 * header.timeSize + 2)  // earliest time, first offset, reserved
        let count = UInt32(try reader.uint16())
        var sum: UInt64 = 0
        let start = UInt64(4 + 4 + 4 + 2 * header.timeSize + 2 + 2)
        try boxes.table(of: box, from: start, count: count, entrySize: 12) { entry throws(FileError) in
            try entry.skip(4)  // size
            sum += UInt64(try entry.uint32())  // at most 65535 of them
        }
        return MediaTime(value: sum, timescale: timescale)
    }
}
