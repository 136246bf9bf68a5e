import NXKit

/// How many samples a track has, and how long they are together.
struct SampleTiming {
    private(set) var count: UInt64 = 0
    /// In the media's timescale.
    private(set) var duration: UInt64 = 0
    /// The part of `duration` that is described in the movie box, not in fragments.
    private(set) var movieDuration: UInt64 = 0

    /// Reads `stts`: pairs of a number of samples and the duration of each (ISO/IEC 14496-12, section 8.6.1.2).
    mutating func readTimeToSample(_ box: Box, _ boxes: BoxFile) throws(FileError) {
        var header = try boxes.reader(box, from: 4, count: 4)
        try boxes.table(of: box, from: 8, count: try header.uint32(), entrySize: 8) { reader throws(FileError) in
            let (count, duration) = (try reader.uint32(), try reader.uint32())
            try add(count, each: duration, reader)
        }
        movieDuration = duration
    }

    /// Adds `samples` samples of `duration` each.
    ///
    /// - Parameter reader: Where they were read, for the error.
    /// - Throws: `malformed` when the sum does not fit into 64 bits.
    mutating func add(_ samples: UInt32, each duration: UInt32, _ reader: ByteReader) throws(FileError) {
        let product = UInt64(samples) * UInt64(duration)  // at most (2^32 - 1)^2
        let (sum, overflow) = self.duration.addingReportingOverflow(product)
        guard !overflow else {
            throw reader.error(.malformed, "the durations of its samples add up to more than 64 bits hold")
        }
        self.duration = sum
        count += UInt64(samples)  // as many additions as there are table entries and boxes: far from 2^64
    }
}
