import NXKit

extension Movie {
    /// Adds the samples of the movie fragment `moof` at `box` to their tracks (ISO/IEC 14496-12, section 8.8).
    ///
    /// - Throws: `malformed` when it contradicts itself; `limitExceeded`.
    mutating func append(_ box: Box, _ boxes: BoxFile) throws(FileError) {
        var cursor = BoxCursor(in: box)
        while let child = try boxes.next(&cursor) {
            guard child.type == "traf" else { continue }
            try appendTrack(child, boxes)
        }
    }

    /// `traf`: the header `tfhd` in front, where it begins (`tfdt`), and runs of samples (`trun`).
    private mutating func appendTrack(_ box: Box, _ boxes: BoxFile) throws(FileError) {
        var cursor = BoxCursor(in: box)
        guard let first = try boxes.next(&cursor), first.type == "tfhd" else {
            let place = "the box 'traf' at byte \(box.start)"
            throw boxes.file.error(.malformed, "a box 'tfhd' was expected first in \(place), but it is not there")
        }
        let header = try TrackFragmentHeader.read(first, boxes)
        // A fragment of a track that the movie does not describe belongs to nothing.
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
        // Without a time of its own it follows what came before it.
        let from = start ?? tracks[index].fragments?.upperBound ?? before.duration
        let (to, overflow) = from.addingReportingOverflow(tracks[index].timing.duration - before.duration)
        guard !overflow else {
            let place = "the track fragment at byte \(box.start)"
            throw boxes.file.error(.malformed, "\(place) begins at \(from) and ends behind all that 64 bits can hold")
        }
        let known = tracks[index].fragments ?? from..<to
        tracks[index].fragments = min(known.lowerBound, from)..<max(known.upperBound, to)
    }
}
