import NXKit

/// A film whose samples can be put into another file as they are (ISO/IEC 14496-12; Apple's QuickTime File Format
/// Specification).
///
/// What is needed to find and to show the samples is read and written again. The boxes around them that describe them,
/// such as sample descriptions, handlers and user data, are copied. Tables that only help players, such as `sdtp`, `cslg`
/// and `subs`, are left out.
struct EditableFilm {
    /// A track with samples.
    struct Track {
        /// The box `tkhd`.
        var header: TimedHeader
        /// The box `mdhd`.
        var mediaHeader: TimedHeader
        var handler: FourCC
        /// The boxes that are copied into `trak`, `mdia` and `minf`.
        var trackBoxes: [[UInt8]]
        var mediaBoxes: [[UInt8]]
        var informationBoxes: [[UInt8]]
        /// The numbers of the tracks that the track refers to, and the box with them (`tref`, section 8.3.3).
        var references: (tracks: Set<UInt32>, box: [UInt8])
        var edits: EditList
        var table: SampleTable

        /// The number of the track.
        var id: UInt32 { header.number }
        /// The units per second of the media's times.
        var timescale: UInt32 { mediaHeader.number }
    }

    let boxes: BoxFile
    /// The box `ftyp`; empty for an old QuickTime file without one.
    let brand: [UInt8]
    /// The box `mvhd`.
    private(set) var header: TimedHeader
    /// The boxes that are copied into `moov`.
    let movieBoxes: [[UInt8]]
    /// The tracks with samples, in the order of the file.
    private(set) var tracks: [Track]

    /// The units per second of the movie's times.
    var timescale: UInt32 { header.number }
    /// How long the film is shown, in `timescale`; less than 2^62.
    var duration: UInt64 { tracks.map(\.edits.duration).max() ?? 0 }

    /// Returns the film with a finer timescale of the movie, so that it can be cut at any frame: many films count
    /// thousandths of a second only.
    func refined() -> EditableFilm {
        let factor = max(1, (EditableFilm.fineTimescale - 1) / timescale + 1)
        guard factor > 1, duration < .longestTime / UInt64(factor) else { return self }
        var film = self
        film.header.number *= factor
        for index in tracks.indices { film.tracks[index].edits.refine(by: UInt64(factor)) }
        return film
    }

    /// In these units per second, most rates of frames are whole numbers.
    private static let fineTimescale: UInt32 = 90_000

    /// The most bytes of boxes that are copied into `moov`: 16 MiB, since pictures may be among the user data.
    static let largestCopies = 16 << 20

    /// Reads the boxes of an open file.
    ///
    /// - Throws: `unsupported` if it is not a film, continues in fragments, is encrypted, refers to other files, or has
    ///   no samples; `truncated` if it is cut off; `malformed`; `limitExceeded`.
    static func read(_ boxes: BoxFile) throws(FileError) -> EditableFilm {
        let layout = try FileLayout.read(boxes)
        guard layout.isComplete else {
            throw boxes.file.error(.truncated, "it is cut off; copy the file again")
        }
        guard layout.fragments.isEmpty else { throw boxes.file.error(.unsupported, fragmented) }
        var brand: [UInt8] = []
        var cursor = BoxCursor(fileOf: boxes.file.size)
        if let first = try boxes.next(&cursor), first.type == "ftyp" { brand = try boxes.copy(first, most: 4096) }
        var header: TimedHeader?
        var trackBoxes: [Box] = []
        var copies = Copies()
        cursor = BoxCursor(in: layout.movie)
        while let child = try boxes.next(&cursor) {
            switch child.type {
            case "mvhd" where header == nil: header = try TimedHeader.read(child, in: boxes, middle: 4)
            case "trak": trackBoxes.append(child)
            case "mvex": throw boxes.file.error(.unsupported, fragmented)
            case "cmov":
                throw boxes.file.error(.unsupported, "its movie header is compressed; write it again")
            case "udta", "meta": try copies.add(child, boxes)
            default: break
            }
        }
        guard let header, header.number > 0 else {
            throw boxes.file.error(.malformed, "a box 'mvhd' with a timescale was expected in the box 'moov'")
        }
        guard trackBoxes.count <= boxes.limits.tracks else {
            throw boxes.file.error(.limitExceeded, "it has more than \(boxes.limits.tracks) tracks")
        }
        let movieBoxes = copies.take()
        var tracks: [Track] = []
        for box in trackBoxes {
            let track = try Track.read(box, in: boxes, movieTimescale: header.number, copies: &copies)
            if let track { tracks.append(track) }
        }
        guard !tracks.isEmpty else { throw boxes.file.error(.unsupported, "none of its tracks has samples") }
        guard Set(tracks.map(\.id)).count == tracks.count else {
            throw boxes.file.error(.malformed, "two of its tracks have the same number")
        }
        // Each track's samples fit into the file, as was checked when its table was read.
        var left = boxes.file.size
        for track in tracks {
            let size = track.table.sizes.total(0..<track.table.count)
            guard size <= left else {
                let reason = "the samples of its tracks are larger than the file, so they overlap"
                throw boxes.file.error(.malformed, reason)
            }
            left -= size
        }
        return EditableFilm(boxes: boxes, brand: brand, header: header, movieBoxes: movieBoxes, tracks: tracks)
    }

    private static let fragmented = "it is made of fragments, which cannot be edited; write it again without them"

    /// Boxes that are copied, of a limited size in all.
    fileprivate struct Copies {
        private var left = UInt64(EditableFilm.largestCopies)
        private var boxes: [[UInt8]] = []

        mutating func add(_ box: Box, _ file: BoxFile) throws(FileError) {
            let bytes = try file.copy(box, most: left)
            left -= UInt64(bytes.count)
            // Metadata that has places in the file, as of pictures, would lead to other bytes.
            if box.type == "meta", file.hasPlaces(box) { return }
            boxes.append(bytes)
        }

        mutating func take() -> [[UInt8]] {
            defer { boxes = [] }
            return boxes
        }
    }
}

extension EditableFilm.Track {
    /// Reads the box `trak`; nil if it has no samples.
    fileprivate static func read(
        _ box: Box, in boxes: BoxFile, movieTimescale: UInt32, copies: inout EditableFilm.Copies
    ) throws(FileError) -> Self? {
        let found = try boxes.children(["tkhd", "mdia"], of: box)
        let header = try TimedHeader.read(found[0], in: boxes, middle: 8)
        let media = try boxes.children(["mdhd", "hdlr", "minf"], of: found[1])
        let mediaHeader = try TimedHeader.read(media[0], in: boxes, middle: 4)
        guard mediaHeader.number > 0 else {
            throw boxes.file.error(.malformed, "a timescale of at least 1 was expected in the box 'mdhd', found 0")
        }
        var handlerReader = try boxes.reader(media[1], from: 8, count: 4)
        let handler = try handlerReader.fourCC()
        let table = try SampleTable.read(
            try boxes.children(["stbl"], of: media[2])[0], in: boxes, isSound: handler == "soun")
        guard table.count > 0 else { return nil }
        var (edits, references): (Box?, (tracks: Set<UInt32>, box: [UInt8])) = (nil, ([], []))
        try boxes.forEachChild(of: box) { child throws(FileError) in
            switch child.type {
            case "edts" where edits == nil:
                try boxes.forEachChild(of: child) { child throws(FileError) in
                    if child.type == "elst", edits == nil { edits = child }
                }
            case "tref" where references.box.isEmpty:
                references = (try boxes.references(child), try boxes.copy(child, most: SampleTable.largestCopy))
            case "udta", "meta": try copies.add(child, boxes)
            default: break
            }
        }
        let trackBoxes = copies.take()
        try boxes.forEachChild(of: found[1]) { child throws(FileError) in
            if child.type == "hdlr" || child.type == "elng" { try copies.add(child, boxes) }
        }
        let mediaBoxes = copies.take()
        try boxes.forEachChild(of: media[2]) { child throws(FileError) in
            if child.type == "dinf" { try boxes.requireOwnData(child) }
            if child.type != "stbl" { try copies.add(child, boxes) }
        }
        let mediaEnd = UInt64(max(table.shownRange.upperBound, 0))
        return Self(
            header: header, mediaHeader: mediaHeader, handler: handler, trackBoxes: trackBoxes, mediaBoxes: mediaBoxes,
            informationBoxes: copies.take(), references: references,
            edits: try EditList.read(
                edits, in: boxes, timescales: (movieTimescale, mediaHeader.number), mediaEnd: mediaEnd),
            table: table)
    }
}

extension BoxFile {
    /// Calls `visit` with each box in the body of `box`.
    fileprivate func forEachChild(of box: Box, _ visit: (Box) throws(FileError) -> Void) throws(FileError) {
        var cursor = BoxCursor(in: box)
        while let child = try next(&cursor) { try visit(child) }
    }

    /// Returns the numbers of the tracks in `tref`: a box for each kind of reference.
    fileprivate func references(_ box: Box) throws(FileError) -> Set<UInt32> {
        var tracks: Set<UInt32> = []
        try forEachChild(of: box) { child throws(FileError) in
            try table(of: child, from: 0, count: UInt32(clamping: child.size / 4), entrySize: 4) {
                entry throws(FileError) in
                tracks.insert(try entry.uint32())
            }
        }
        return tracks
    }

    /// Whether metadata has items at places in the file (`iloc`, section 8.11.3), or cannot be read.
    fileprivate func hasPlaces(_ box: Box) -> Bool {
        do throws(FileError) {
            var start = try reader(box, count: 8)
            try start.skip(4)
            // In QuickTime files, it begins with the handler, and has neither a version nor flags.
            var cursor = BoxCursor(in: box, from: try start.fourCC() == "hdlr" ? 0 : 4)
            while let child = try next(&cursor) {
                if child.type == "iloc" { return true }
            }
            return false
        } catch {
            return true
        }
    }

    /// Checks that the samples are in the file itself: each entry of `dref` has the flag that says so (ISO/IEC 14496-12,
    /// section 8.7.2).
    fileprivate func requireOwnData(_ box: Box) throws(FileError) {
        var cursor = BoxCursor(in: try children(["dref"], of: box)[0], from: 8)
        while let entry = try next(&cursor) {
            var reader = try reader(entry, count: 4)
            guard try FullBoxHeader(&reader).flags & 1 == 1 else {
                throw file.error(.unsupported, "its samples are in another file; write it again as one file")
            }
        }
    }
}
