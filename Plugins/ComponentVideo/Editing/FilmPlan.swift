import NXKit

/// A film that is to be written: its tracks, and from where their samples come.
struct FilmPlan {
    /// A row of samples in one of the films that are read. It becomes a chunk of the film that is written.
    struct Piece {
        /// The place of the film among those that are read.
        var source: UInt32
        var samples: UInt32
        /// The number of the samples' description.
        var description: UInt32
        /// Where the samples are in the film that is read.
        var offset, length: UInt64
    }

    /// A track.
    struct Track {
        /// What the track has besides samples.
        var original: EditableFilm.Track
        var edits: EditList
        /// The times and sizes of its samples; where they are is in `pieces`.
        var table: SampleTable
        var pieces: [Piece]
    }

    /// The film whose headers are used.
    let first: EditableFilm
    /// The files of the films that are read. Their tables are not kept: a hundred films may be joined.
    private(set) var sources: [BoxFile]
    private(set) var tracks: [Track]
    /// The boxes that are copied into `moov`.
    let movieBoxes: [[UInt8]]

    /// Plans a film with tracks of another one, or with the part of them that is shown between two times.
    ///
    /// The part of a track begins with the last sync sample by its beginning, and its edit list with the time that is
    /// asked for. A track of which nothing is shown then is left out, as are chapters among the user data, whose times would
    /// be wrong; those in a track are cut like it.
    ///
    /// - Parameters:
    ///   - film: The film.
    ///   - tracks: The numbers of the tracks, which players show then even if they did not before, as one of several
    ///     languages; nil for all.
    ///   - times: The times in the movie's timescale; nil for all.
    /// - Throws: `malformed` if the times of the samples do not fit together.
    init(_ film: EditableFilm, tracks chosen: Set<UInt32>? = nil, part times: Range<UInt64>? = nil) throws(FileError) {
        first = film
        sources = [film.boxes]
        tracks = []
        movieBoxes = times == nil ? film.movieBoxes : film.movieBoxes.map(\.withoutChapters)
        for track in film.tracks where chosen?.contains(track.id) ?? true {
            var (edits, samples): (EditList, Range<UInt64>?) = (track.edits, 0..<track.table.count)
            if let times {
                let timescales = (movie: film.timescale, media: track.timescale)
                edits = edits.part(times, timescales: timescales)
                samples = edits.mediaRange(timescales: timescales).flatMap { track.table.samples(shownIn: $0) }
            }
            guard let samples else { continue }
            var planned = Track(original: track, edits: edits, table: track.table.part(samples), pieces: [])
            planned.pieces = try FilmPlan.pieces(of: track.table, samples, source: 0)
            if chosen != nil { planned.original.header.isEnabled = true }
            if times != nil { try planned.beginMedia(at: track.table.decodeTime(of: samples.lowerBound), film) }
            tracks.append(planned)
        }
    }

    /// Adds another film at the end. Its tracks follow those of the plan in their order, and begin together.
    ///
    /// - Throws: `unsupported` if its tracks are not of the same number, kind, timescale and size, or if their samples
    ///   are described differently: samples are not encoded anew; `limitExceeded`.
    mutating func append(_ film: EditableFilm) throws(FileError) {
        let source = UInt32(sources.count)
        guard film.tracks.count == tracks.count else {
            throw film.refusal("it has \(film.tracks.count) tracks, but the first film has \(tracks.count)")
        }
        // Where the tracks of the new film begin together.
        let start = tracks.map(\.edits.duration).max() ?? 0
        guard start + film.duration < .longestTime else { throw film.tooLong }
        for index in tracks.indices {
            try tracks[index].requireSameForm(film.tracks[index], of: film, first: first)
            try tracks[index].append(film.tracks[index], of: film, at: start, movieTimescale: first.timescale)
            tracks[index].pieces += try FilmPlan.pieces(of: film.tracks[index].table, source: source)
        }
        // The limit on the tables of a film holds for all films together, since what is kept of each adds up.
        guard tracks.reduce(0, { $0 + $1.entryCount }) <= film.boxes.limits.tableEntries else {
            throw film.boxes.file.error(.limitExceeded, "the tables of the film would be too long")
        }
        sources.append(film.boxes)
    }

    private static func pieces(
        of table: SampleTable, _ samples: Range<UInt64>? = nil, source: UInt32
    ) throws(FileError) -> [Piece] {
        var pieces: [Piece] = []
        try table.forEachChunk(of: samples ?? 0..<table.count) { chunk throws(FileError) in
            pieces.append(
                Piece(
                    source: source, samples: UInt32(chunk.samples.count), description: chunk.description,
                    offset: chunk.offset, length: table.sizes.total(chunk.samples)))
        }
        return pieces
    }
}

extension EditableFilm {
    fileprivate func refusal(_ reason: String) -> FileError {
        boxes.file.error(.unsupported, "\(reason); films are joined only if they are made alike")
    }

    fileprivate var tooLong: FileError {
        boxes.file.error(.limitExceeded, "the film would be longer than 62 bits can hold")
    }
}

extension FilmPlan.Track {
    /// How many entries its tables take, without those whose number ``SampleTable/append(_:most:)`` limits.
    fileprivate var entryCount: Int {
        let groups = table.groups.reduce(0) { $0 + $1.members.runs.count }
        return pieces.count + edits.segments.count + table.durations.runs.count + table.offsets.runs.count + groups
    }

    private var timescale: UInt32 { original.timescale }

    /// Counts the media's times from a sample on that was decoded at `start` in the original.
    ///
    /// Where samples are shown before they are decoded (section 8.6.1.3, version 1), all of them are shown later by as
    /// much as an edit would begin before the media, which an edit list cannot express.
    fileprivate mutating func beginMedia(at start: UInt64, _ film: EditableFilm) throws(FileError) {
        let earliest = edits.segments.compactMap(\.mediaTime).min() ?? start
        let delay = start - min(earliest, start)
        for index in edits.segments.indices {
            edits.segments[index].mediaTime = edits.segments[index].mediaTime.map { $0 - (start - delay) }
        }
        if delay > 0 { try shift(by: delay, film) }
    }

    /// Lets all samples be shown later.
    private mutating func shift(by delay: UInt64, _ film: EditableFilm) throws(FileError) {
        table.offsets.fill(to: table.count, with: 0)
        var offsets = SampleRuns<Int32>()
        for run in table.offsets.runs {
            guard let offset = Int32(exactly: Int64(run.value) + Int64(min(delay, .longestTime))) else {
                throw film.boxes.file.error(.malformed, "its samples are shown too long before they are decoded")
            }
            offsets.append(run.count, of: offset)
        }
        table.offsets = offsets
    }

    /// Checks that the samples of another track can follow.
    fileprivate func requireSameForm(
        _ other: EditableFilm.Track, of film: EditableFilm, first: EditableFilm
    ) throws(FileError) {
        let name = "its track \(other.id)"
        guard other.handler == original.handler else {
            throw film.refusal("\(name) is of the kind '\(other.handler)', but '\(original.handler)' was expected")
        }
        guard other.table.descriptions.box == table.descriptions.box else {
            throw film.refusal("\(name) is encoded differently from the first film's track \(original.id)")
        }
        guard other.timescale == timescale else {
            throw film.refusal("\(name) has \(other.timescale) units per second, but \(timescale) were expected")
        }
        guard other.handler != "vide" || isShownAlike(other, of: film, first: first) else {
            throw film.refusal("the picture of \(name) is turned or scaled differently")
        }
    }

    private func isShownAlike(_ other: EditableFilm.Track, of film: EditableFilm, first: EditableFilm) -> Bool {
        // The movie's matrix has 36 bytes; the rest is not about pictures.
        other.header.geometry == original.header.geometry
            && film.header.geometry.prefix(36) == first.header.geometry.prefix(36)
    }

    /// Adds the samples of a track of another film.
    ///
    /// - Parameter start: When the film begins, in the movie's timescale.
    fileprivate mutating func append(
        _ other: EditableFilm.Track, of film: EditableFilm, at start: UInt64, movieTimescale: UInt32
    ) throws(FileError) {
        let timescales = (movie: movieTimescale, media: timescale)
        // Counted along, since a list may be long.
        var total = edits.duration
        if total < start {
            edits.append(EditList.Segment(duration: start - total, mediaTime: nil), timescales: timescales)
            total = start
        }
        // No sample of the new film may be shown before the last one of the film before it has ended, and no edit of either
        // may reach into the media of the other: edits may begin before the first sample, and end after the last one.
        let theirs = other.edits.mediaRange(timescales: (movie: film.timescale, media: timescale))
        let first = min(other.table.shownRange.lowerBound, theirs?.lowerBound ?? .max)
        let last = max(table.shownRange.upperBound, edits.mediaRange(timescales: timescales)?.upperBound ?? 0)
        let overlap = last - Int64(table.decodedDuration) - first
        if overlap > 0 { table.durations.changeLast { UInt32(clamping: UInt64($0) + UInt64(overlap)) } }
        let base = table.decodedDuration
        guard base + other.table.decodedDuration < .longestTime else { throw film.tooLong }
        // The ends of segments are rounded, and not their durations, so that mistakes do not add up.
        var end: UInt64 = 0
        for segment in other.edits.segments {
            end += segment.duration
            guard let scaled = end.rescaled(from: film.timescale, to: movieTimescale) else { throw film.tooLong }
            var moved = segment
            moved.mediaTime = segment.mediaTime.map { min($0, .longestTime) + base }
            moved.duration = start + scaled - min(total, start + scaled)
            total += moved.duration
            edits.append(moved, timescales: timescales)
        }
        edits.isImplied = false
        guard table.append(other.table, most: film.boxes.limits.tableEntries) else {
            throw film.boxes.file.error(.limitExceeded, "the film would have too many samples")
        }
    }
}

extension [UInt8] {
    /// The box with user data in these bytes, in which Nero's list of chapters (`chpl`) is free space; other boxes as they
    /// are.
    fileprivate var withoutChapters: [UInt8] {
        guard dropFirst(4).starts(with: "udta".utf8) else { return self }
        var box = self
        var start = 8
        while start + 8 <= count {
            let size = self[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            if self[(start + 4)...].starts(with: "chpl".utf8) {
                box.replaceSubrange(start + 4..<start + 8, with: "free".utf8)
            }
            // The last box may reach to the end, and zeros may follow it.
            guard size >= 8 else { break }
            start += size
        }
        return box
    }
}

extension SampleTable {
    /// Returns the times, sizes and groups of some samples only, without the places of the samples.
    func part(_ samples: Range<UInt64>) -> SampleTable {
        var part = self
        part.durations = durations.part(samples)
        part.offsets = offsets.part(samples)
        part.sizes = sizes.part(samples)
        part.syncSamples = syncSamples?.compactMap { sample in
            samples.contains(UInt64(sample)) ? sample - UInt32(samples.lowerBound) : nil
        }
        for index in groups.indices { part.groups[index].members = groups[index].members.part(samples) }
        part.chunkOffsets = []
        part.chunkRuns = []
        return part
    }

    /// Adds the times and sizes of other samples at the end. Groups are kept if both tables describe the same ones.
    ///
    /// - Parameter most: How many samples may have sizes of their own.
    /// - Returns: False if there would be too many samples.
    fileprivate mutating func append(_ other: SampleTable, most: Int) -> Bool {
        let before = count
        guard before + other.count <= UInt64(UInt32.max), sizes.append(contentsOf: other.sizes, most: most) else {
            return false
        }
        durations.append(contentsOf: other.durations)
        if !offsets.runs.isEmpty || !other.offsets.runs.isEmpty {
            offsets.fill(to: before, with: 0)
            offsets.append(contentsOf: other.offsets)
            offsets.fill(to: count, with: 0)
        }
        if syncSamples != nil || other.syncSamples != nil {
            guard before + other.count <= UInt64(most) else { return false }
            var all = syncSamples ?? Array(0..<UInt32(before))
            all += (other.syncSamples ?? Array(0..<UInt32(other.count))).map { $0 + UInt32(before) }
            syncSamples = all
        }
        if groups.map(\.type) == other.groups.map(\.type), groupDescriptions == other.groupDescriptions {
            for index in groups.indices {
                groups[index].members.append(contentsOf: other.groups[index].members)
            }
        } else {
            (groups, groupDescriptions) = ([], [])
        }
        return true
    }
}
