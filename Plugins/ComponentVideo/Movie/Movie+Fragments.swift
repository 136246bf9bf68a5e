import NXKit

extension Movie {
    /// Adds the samples of the movie fragment `moof` at `box` to their tracks (ISO/IEC 14496-12, section 8.8).
    ///
    /// - Throws: `malformed` if it contradicts itself; `limitExceeded`.
    mutating func append(_ box: Box, _ boxes: BoxFile) throws(FileError) {
        var cursor = BoxCursor(in: box)
        while let child = try boxes.next(&cursor) {
            guard child.type == "traf" else { continue }
            try appendTrack(child, boxes)
        }
    }

    /// Reads `traf`: the header `tfhd` first, the start time (`tfdt`), and runs of samples (`trun`).
    private mutating func appendTrack(_ box: Box, _ boxes: BoxFile) throws(FileError) {
        var cursor = BoxCursor(in: box)
        guard let first = try boxes.next(&cursor), first.type == "tfhd" else {
            let place = "the box 'traf' at byte \(box.start)"
            throw boxes.file.error(.malformed, "a box 'tfhd' was expected first in \(place), but it is not there")
        }
        let header = try TrackFragmentHeader.read(first, boxes)
        // Ignore a fragment whose track the movie does not describe.
        guard let index = trackIndices[header.trackID] else { return }
        let sampleDuration = header.defaultSampleDuration ?? tracks[index].defaultSampleDuration
        let before = tracks[index].timing
        var start: UInt64?
        while let child = try boxes.next(&cursor) {
            switch child.type {
            case "tfdt":
                var reader = try boxes.reader(child, upTo: 12)
                let header = try FullBoxHeader(timesOf: child.type, &reader)
                start = try header.time(&reader)
            case "trun":
                try tracks[index].timing.readRun(child, defaultDuration: sampleDuration, boxes)
            default: break
            }
        }
        // Without a start time the fragment follows the samples before it.
        let from = start ?? tracks[index].fragments?.upperBound ?? before.duration
        let (to, overflow) = from.addingReportingOverflow(tracks[index].timing.duration - before.duration)
        guard !overflow else {
            let place = "the track fragment at byte \(box.start)"
            throw boxes.file.error(.malformed, "\(place) begins at \(from) and ends beyond the range of 64 bits")
        }
        let known = tracks[index].fragments ?? from..<to
        tracks[index].fragments = min(known.lowerBound, from)..<max(known.upperBound, to)
    }
}

/// The track fragment header `tfhd` (ISO/IEC 14496-12, section 8.8.7).
private struct TrackFragmentHeader {
    let trackID: UInt32
    /// The default duration in the media's timescale; nil if the default of the movie box applies.
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

extension SampleTiming {
    /// Reads `trun`, a run of samples in a fragment (ISO/IEC 14496-12, section 8.8.8).
    ///
    /// - Parameter defaultDuration: The duration of a sample if the run has none, in the media's timescale.
    fileprivate mutating func readRun(_ box: Box, defaultDuration: UInt32, _ boxes: BoxFile) throws(FileError) {
        var reader = try boxes.reader(box, count: 8)
        let header = try FullBoxHeader(&reader)
        let samples = try reader.uint32()
        // Durations must be added one by one only if each sample has its own.
        guard header.flags & 0x100 != 0 else {
            return try add(samples, each: defaultDuration, reader)
        }
        // Before the samples: data offset, flags of the first sample.
        let start = 8 + 4 * (header.flags & 0x5).nonzeroBitCount
        // For each sample: duration, size, flags, composition offset. The duration comes first.
        let entrySize = 4 * (header.flags & 0xF00).nonzeroBitCount
        try boxes.table(of: box, from: UInt64(start), count: samples, entrySize: entrySize) {
            entry throws(FileError) in
            let duration = try entry.uint32()
            try add(1, each: duration, entry)
        }
    }
}

/// The segment index `sidx` (ISO/IEC 14496-12, section 8.16.3).
enum SegmentIndex {
    /// The total duration of all subsegments.
    ///
    /// - Throws: `malformed` if the box contradicts itself; `limitExceeded`.
    static func duration(_ box: Box, _ boxes: BoxFile) throws(FileError) -> MediaTime {
        var reader = try boxes.reader(box, upTo: 32)
        let header = try FullBoxHeader(timesOf: box.type, &reader)
        try reader.skip(4)  // the track whose time it uses
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
