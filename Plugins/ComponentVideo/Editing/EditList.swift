import NXKit

/// Which parts of a track's media are shown when (`elst`, ISO/IEC 14496-12, section 8.6.6).
struct EditList: Hashable, Sendable {
    /// A part of what is shown.
    struct Segment: Hashable, Sendable {
        /// How long it is, in the movie's timescale.
        var duration: UInt64
        /// Where it begins in the media, in the media's timescale; nil if nothing is shown.
        var mediaTime: UInt64?
        /// Whether the picture stands still.
        var isStill = false
    }

    var segments: [Segment] = []
    /// Whether the file has no list: then the media is shown from its beginning.
    var isImplied = false

    /// The duration of what is shown, in the movie's timescale; less than 2^62.
    var duration: UInt64 { segments.reduce(0) { $0 + $1.duration } }

    /// Multiplies all durations, for a finer timescale of the movie.
    mutating func refine(by factor: UInt64) {
        for index in segments.indices { segments[index].duration *= factor }
    }

    private static let normalRate: UInt32 = 0x1_0000

    /// Reads the box `elst` at `box`; without one, or with an empty one, the list is implied by the media.
    ///
    /// - Parameters:
    ///   - timescales: The units per second of the movie and of the media.
    ///   - mediaEnd: When the last sample ends, in the media's timescale.
    /// - Throws: `malformed` if a time is too large or negative; `unsupported` if the media is shown faster or slower
    ///   than it was recorded; `limitExceeded`.
    static func read(
        _ box: Box?, in boxes: BoxFile, timescales: (movie: UInt32, media: UInt32), mediaEnd: UInt64
    ) throws(FileError) -> EditList {
        func movieTime(_ mediaTime: UInt64) throws(FileError) -> UInt64 {
            guard let time = mediaTime.rescaled(from: timescales.media, to: timescales.movie) else {
                throw boxes.file.error(.malformed, "one of its tracks is longer than 62 bits can hold")
            }
            return time
        }
        var list = EditList()
        if let box {
            var reader = try boxes.reader(box, count: 8)
            let header = try FullBoxHeader(timesOf: box.type, &reader)
            let count = try reader.uint32()
            var (entries, total): (UInt32, UInt64) = (0, 0)
            try boxes.table(
                of: box, from: 8, count: count, entrySize: 4 + 2 * header.timeSize
            ) { entry throws(FileError) in
                var segment = try read(&entry, header)
                entries += 1
                // The last one may leave its duration to the media.
                if segment.duration == 0, entries == count, let start = segment.mediaTime {
                    segment.duration = try movieTime(mediaEnd - min(start, mediaEnd))
                }
                let (sum, overflow) = total.addingReportingOverflow(segment.duration)
                guard !overflow, sum < .longestTime else {
                    throw entry.error(.malformed, "the durations in its edit list are more than 62 bits can hold")
                }
                total = sum
                if segment.duration > 0 { list.segments.append(segment) }
            }
        }
        if list.segments.isEmpty {
            list.isImplied = true
            list.segments = [Segment(duration: try movieTime(mediaEnd), mediaTime: 0)]
        }
        return list
    }

    private static func read(_ entry: inout ByteReader, _ header: FullBoxHeader) throws(FileError) -> Segment {
        let duration = try header.time(&entry)
        let start: Int64 =
            header.version == 0 ? Int64(try entry.int32()) : Int64(bitPattern: try entry.uint64())
        let rate = try entry.uint32()
        guard start >= -1, start < Int64(UInt64.longestTime) else {
            throw entry.error(.malformed, "an edit begins at \(start), where there is no media")
        }
        guard rate == normalRate || rate == 0 || start == -1 else {
            throw entry.error(.unsupported, "it is shown faster or slower than it was recorded")
        }
        return Segment(
            duration: duration, mediaTime: start < 0 ? nil : UInt64(start), isStill: rate == 0 && start >= 0)
    }

    /// Returns the part of what is shown between two times, in the movie's timescale. It begins at the first time
    /// exactly, in so far as the media's timescale can express it.
    ///
    /// - Parameter timescales: The units per second of the movie and of the media.
    func part(_ times: Range<UInt64>, timescales: (movie: UInt32, media: UInt32)) -> EditList {
        var part = EditList()
        var start: UInt64 = 0
        for segment in segments {
            let all = start..<start + segment.duration
            let shared = times.clamped(to: all)
            start = all.upperBound
            guard !shared.isEmpty else { continue }
            var piece = segment
            piece.duration = shared.upperBound - shared.lowerBound
            if let mediaTime = segment.mediaTime, !segment.isStill {
                let skipped = shared.lowerBound - all.lowerBound
                // A time that does not fit is behind the end of any media.
                let time = skipped.rescaled(from: timescales.movie, to: timescales.media) ?? .longestTime
                piece.mediaTime = min(mediaTime + time, .longestTime)
            }
            part.segments.append(piece)
        }
        return part
    }

    /// The stretch of the media from the first to the last moment that is shown, in the media's timescale; nil if none
    /// is.
    ///
    /// - Parameter timescales: The units per second of the movie and of the media.
    func mediaRange(timescales: (movie: UInt32, media: UInt32)) -> Range<Int64>? {
        var range: Range<UInt64>?
        for segment in segments {
            guard let start = segment.mediaTime else { continue }
            let length = segment.duration.rescaled(from: timescales.movie, to: timescales.media) ?? .longestTime
            let end = start + (segment.isStill ? 1 : max(length, 1))
            range = min(start, range?.lowerBound ?? start)..<max(end, range?.upperBound ?? end)
        }
        return range.map {
            Int64(min($0.lowerBound, .longestTime))..<Int64(min($0.upperBound, .longestTime + 1))
        }
    }

    /// Adds a segment at the end. Where the media goes on without a gap, the last segment becomes longer.
    ///
    /// - Parameter timescales: The units per second of the movie and of the media.
    mutating func append(_ segment: Segment, timescales: (movie: UInt32, media: UInt32)) {
        guard segment.duration > 0 else { return }
        if let last = segments.last, !last.isStill, !segment.isStill {
            let end = last.mediaTime.flatMap { start in
                last.duration.rescaled(from: timescales.movie, to: timescales.media).map { start + $0 }
            }
            if end == segment.mediaTime {
                segments[segments.count - 1].duration += segment.duration
                return
            }
        }
        segments.append(segment)
    }

    /// Writes the box `edts` with the list; nothing if it is implied.
    func write(to writer: inout BoxWriter) {
        guard !isImplied else { return }
        let isLarge = segments.contains {
            $0.duration > UInt64(UInt32.max) || $0.mediaTime ?? 0 > UInt64(Int32.max)
        }
        writer.box("edts") { writer in
            writer.fullBox("elst", version: isLarge ? 1 : 0) { writer in
                writer.uint32(UInt32(segments.count))
                for segment in segments {
                    // All ones, -1, if nothing is shown.
                    let mediaTime = segment.mediaTime ?? .max
                    if isLarge {
                        writer.uint64(segment.duration)
                        writer.uint64(mediaTime)
                    } else {
                        writer.uint32(UInt32(segment.duration))
                        writer.uint32(UInt32(truncatingIfNeeded: mediaTime))
                    }
                    writer.uint32(segment.isStill ? 0 : EditList.normalRate)
                }
            }
        }
    }
}
