import NXKit

/// The movie box: its header, its tracks, and the defaults for fragments (ISO/IEC 14496-12, section 8.2).
struct Movie {
    let timescale: UInt32
    /// The header's duration, in `timescale`; nil if it has none.
    let headerDuration: UInt64?
    var tracks: [TrackDraft]
    /// The index in `tracks` of each track number; the first if a file uses a number twice.
    let trackIndices: [UInt32: Int]
    /// Whether it declares that fragments follow (`mvex`).
    let isFragmented: Bool
    /// The duration with all fragments (`mehd`), in `timescale`; nil if there is none.
    let extendedDuration: UInt64?

    /// Reads the box `moov` at `box`.
    ///
    /// - Throws: `malformed` if a required box is missing or contradicts itself; `unsupported` if the header is
    ///   compressed; `limitExceeded`.
    static func read(_ box: Box, _ boxes: BoxFile) throws(FileError) -> Movie {
        var cursor = BoxCursor(in: box)
        var header: MovieHeader?
        var extends: Box?
        var trackBoxes: [Box] = []
        while let child = try boxes.next(&cursor) {
            switch child.type {
            case "mvhd" where header == nil: header = try MovieHeader.read(child, boxes)
            case "mvex" where extends == nil: extends = child
            case "trak":
                guard trackBoxes.count < boxes.limits.tracks else {
                    throw boxes.file.error(.limitExceeded, "it has more than \(boxes.limits.tracks) tracks")
                }
                trackBoxes.append(child)
            case "cmov":
                let advice = "write it again with a current program"
                throw boxes.file.error(.unsupported, "its movie header is compressed ('cmov'); \(advice)")
            default: break
            }
        }
        guard let header else {
            let place = "the box 'moov' at byte \(box.start)"
            throw boxes.file.error(.malformed, "a box 'mvhd' was expected in \(place), but there is none")
        }
        // The tracks are usually before the boxes that may be broken. If none is, they have not been found.
        if trackBoxes.isEmpty, let type = cursor.brokenType {
            let place = "the box '\(type)' in the box 'moov' at byte \(box.start)"
            throw boxes.file.error(.malformed, "\(place) has a wrong length, so its tracks were not found")
        }
        var tracks: [TrackDraft] = []
        var failure: FileError?
        for child in trackBoxes {
            do throws(FileError) {
                tracks.append(try TrackDraft.read(child, of: header, boxes))
            } catch let error where error.code != .limitExceeded && TrackDraft.isAuxiliary(child, boxes) {
                // Pictures and sound play without it.
                failure = failure ?? error
            }
        }
        if tracks.isEmpty, let failure { throw failure }
        let indices = Dictionary(tracks.indices.map { (tracks[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
        var extendedDuration: UInt64?
        if let extends {
            extendedDuration = try readDefaults(extends, of: &tracks, indices: indices, in: boxes)
        }
        return Movie(
            timescale: header.timescale, headerDuration: header.duration, tracks: tracks, trackIndices: indices,
            isFragmented: extends != nil, extendedDuration: extendedDuration)
    }

    /// Reads `mvex`: the whole duration (`mehd`), and each track's defaults (`trex`).
    private static func readDefaults(
        _ box: Box, of tracks: inout [TrackDraft], indices: [UInt32: Int], in boxes: BoxFile
    ) throws(FileError) -> UInt64? {
        var cursor = BoxCursor(in: box)
        var duration: UInt64?
        while let child = try boxes.next(&cursor) {
            switch child.type {
            case "mehd":
                var reader = try boxes.reader(child, upTo: 12)
                let header = try FullBoxHeader(timesOf: child.type, &reader)
                duration = try header.duration(&reader)
            case "trex":
                var reader = try boxes.reader(child, from: 4, count: 12)
                let id = try reader.uint32()
                try reader.skip(4)  // default sample description
                let sampleDuration = try reader.uint32()
                if let index = indices[id] {
                    tracks[index].defaultSampleDuration = sampleDuration
                }
            default: break
            }
        }
        return duration
    }
}

/// The movie header `mvhd` (ISO/IEC 14496-12, section 8.2.2).
struct MovieHeader {
    let timescale: UInt32
    /// The duration in `timescale`; nil if the box has none.
    let duration: UInt64?
    /// How the whole film is turned, after its tracks; nil if that is not a quarter turn.
    let orientation: Orientation?

    fileprivate static func read(_ box: Box, _ boxes: BoxFile) throws(FileError) -> MovieHeader {
        var reader = try boxes.reader(box, upTo: 84)
        let header = try FullBoxHeader(timesOf: box.type, &reader)
        try reader.skip(2 * header.timeSize)
        let timescale = try reader.timescale(of: box)
        let duration = try header.duration(&reader)
        // Rate, volume and reserved fields come before the matrix. A header that ends earlier is still of use.
        guard reader.remaining >= 16 + 36 else {
            return MovieHeader(timescale: timescale, duration: duration, orientation: nil)
        }
        try reader.skip(16)
        return MovieHeader(timescale: timescale, duration: duration, orientation: try Orientation.read(&reader))
    }
}

extension ByteReader {
    /// Reads the next 32 bits as the timescale of `box`, by which durations are divided.
    ///
    /// - Throws: `malformed` if it is 0.
    mutating func timescale(of box: Box) throws(FileError) -> UInt32 {
        let timescale = try uint32()
        guard timescale > 0 else {
            throw error(.malformed, "a timescale of at least 1 was expected in the box '\(box.type)', found 0")
        }
        return timescale
    }
}

extension Movie {
    /// Returns the duration of the film, from the first source that has it: for a fragmented film, `mehd`, the longest
    /// track with its fragments, or the segment index; otherwise, the movie's header or the longest track.
    ///
    /// - Parameter index: The box `sidx`, if there is one.
    /// - Throws: Errors from reading that box.
    func duration(index: Box?, _ boxes: BoxFile) throws(FileError) -> MediaTime {
        let header = headerDuration.map { MediaTime(value: $0, timescale: timescale) }
        let longestTrack = tracks.map(\.duration).max { $1.isLonger(than: $0) }
        let unknown = MediaTime(value: 0, timescale: timescale)
        let hasFragments = tracks.contains { $0.fragments != nil }
        if isFragmented || hasFragments {
            if let extendedDuration {
                return MediaTime(value: extendedDuration, timescale: timescale)
            }
            // If a film begins with ordinary samples, its header has the duration of these samples only.
            if hasFragments, let longestTrack {
                return longestTrack
            }
            if let index {
                return try SegmentIndex.duration(index, boxes)
            }
        }
        return header ?? longestTrack ?? unknown
    }
}
