import NXKit

extension SampleTiming {
    /// Reads `trun`, a run of samples of a fragment (ISO/IEC 14496-12, section 8.8.8).
    ///
    /// - Parameter defaultDuration: How long a sample is where the run does not tell, in the media's timescale.
    mutating func readRun(_ box: Box, defaultDuration: UInt32, _ boxes: BoxFile) throws(FileError) {
        var reader = try boxes.reader(box, count: 8)
        let header = try FullBoxHeader(&reader)
        let samples = try reader.uint32()
        // Only where each sample has a duration of its own is there something to add up one by one.
        guard header.flags & 0x100 != 0 else {
            return try add(samples, each: defaultDuration, reader)
        }
        // In front of the samples: data offset, flags of the first one.
        let start = 8 + 4 * (header.flags & 0x5).nonzeroBitCount
        // Of each sample: duration, size, flags, composition offset. The duration comes first.
        let entrySize = 4 * (header.flags & 0xF00).nonzeroBitCount
        try boxes.table(of: box, from: UInt64(start), count: samples, entrySize: entrySize) {
            entry throws(FileError) in
            let duration = try entry.uint32()
            try add(1, each: duration, entry)
        }
    }
}
