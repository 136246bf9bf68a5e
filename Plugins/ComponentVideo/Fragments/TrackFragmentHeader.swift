import NXKit

/// The track fragment header `tfhd` (ISO/IEC 14496-12, section 8.8.7).
struct TrackFragmentHeader {
    let trackID: UInt32
    /// In the media's timescale; nil when the default of the movie box counts.
    let defaultSampleDuration: UInt32?

    static func read(_ box: Box, _ boxes: BoxFile) throws(FileError) -> TrackFragmentHeader {
        var reader = try boxes.reader(box, upTo: 24)
        let header = try FullBoxHeader(&reader)
        let id = try reader.uint32()
        if header.flags & 0x1 != 0 { try reader.skip(8) }  // base data offset
        if header.flags & 0x2 != 0 { try reader.skip(4) }  // sample description
        return TrackFragmentHeader(
            trackID: id, defaultSampleDuration: header.flags & 0x8 != 0 ? try reader.uint32() : nil)
    }
}
