import ComponentVideoContract
import NXKit

/// A track while its boxes are read: the data of the movie box and of the fragments.
struct TrackDraft {
    let id: UInt32
    let handler: FourCC
    /// The units per second of the media's times.
    let timescale: UInt32
    /// The duration with its edit list applied; nil if the file has none.
    let presented: MediaTime?
    /// The media's duration, in `timescale`; nil if the file has none.
    let mediaDuration: UInt64?
    let language: String?
    let sampleEntry: SampleEntry?
    /// The displayed width and height before the picture is turned; 0 if the file has none.
    let shown: (width: Int, height: Int)
    /// How the picture is turned when it is shown; nil if that is not a quarter turn.
    let orientation: Orientation?
    /// The samples of the movie box, to which those of the fragments are added.
    var timing: SampleTiming
    /// The default duration of a sample in fragments, in `timescale`.
    var defaultSampleDuration: UInt32 = 0
    /// The range from the first to the end of the last sample in fragments, in `timescale`.
    var fragments: Range<UInt64>?

    /// The kind of the track: pictures, sound, or other data.
    var kind: Track.Kind {
        switch handler {
        case "vide": .video
        case "soun": .audio
        default: .other
        }
    }

    /// The duration of the track. Fragments take precedence, because headers are written before them.
    var duration: MediaTime {
        if let fragments {
            // A recording of a live programme may begin at any point of its timeline, and plays from there.
            let start = timing.movieDuration > 0 ? 0 : fragments.lowerBound
            return MediaTime(value: fragments.upperBound - start, timescale: timescale)
        }
        return presented ?? MediaTime(value: mediaDuration ?? timing.duration, timescale: timescale)
    }
}

extension Track {
    /// Creates the track, once the whole file has been read.
    init(_ draft: TrackDraft) {
        let entry = draft.sampleEntry
        let (video, audio) = (draft.kind == .video, draft.kind == .audio)
        let width = video ? entry?.width ?? draft.shown.width : nil
        let height = video ? entry?.height ?? draft.shown.height : nil
        let isScaled = draft.shown.width > 0 && draft.shown.height > 0
        let (shownWidth, shownHeight) = isScaled && video ? draft.shown : (width, height)
        let swapsSides = draft.orientation?.swapsSides ?? false
        self.init(
            id: draft.id, kind: draft.kind, handler: draft.handler.description,
            codec: entry?.format.description, codecString: entry?.codecString,
            isEncrypted: entry?.isEncrypted ?? false,
            width: width, height: height, rotation: video ? draft.orientation?.rotation : nil,
            displayWidth: swapsSides ? shownHeight : shownWidth, displayHeight: swapsSides ? shownWidth : shownHeight,
            frameRate: video && draft.timing.count > 0
                ? Ratio(draft.timing.count, times: UInt64(draft.timescale), over: draft.timing.duration) : nil,
            // Old sample entries omit rates of more than 16 bits; the timescale is the rate then.
            sampleRate: audio ? entry?.sampleRate ?? Int(draft.timescale) : nil,
            channels: audio ? entry?.channels : nil,
            duration: draft.duration, sampleCount: draft.timing.count, language: draft.language)
    }
}

extension TrackDraft {
    /// Reads the box `trak` at `box`: `tkhd`, and in `mdia` the boxes `mdhd`, `hdlr` and `minf`.
    ///
    /// - Throws: `malformed` if one of them is missing or contradicts itself; `unsupported`; `limitExceeded`.
    static func read(_ box: Box, of movie: MovieHeader, _ boxes: BoxFile) throws(FileError) -> TrackDraft {
        let found = try boxes.children(["tkhd", "mdia"], of: box)
        let header = try TrackHeader.read(found[0], boxes)
        // QuickTime has a second 'hdlr' in 'minf', for the data. It does not determine the kind of media.
        let media = try boxes.children(["mdhd", "hdlr", "minf"], of: found[1])
        let mediaHeader = try MediaHeader.read(media[0], boxes)
        var handlerReader = try boxes.reader(media[1], from: 8, count: 4)
        let handler = try handlerReader.fourCC()
        let table = try boxes.children(["stbl"], of: media[2])
        let samples = try sampleTable(table[0], handler: handler, boxes)
        return TrackDraft(
            id: header.id, handler: handler, timescale: mediaHeader.timescale,
            presented: header.duration.map { MediaTime(value: $0, timescale: movie.timescale) },
            mediaDuration: mediaHeader.duration, language: mediaHeader.language, sampleEntry: samples.entry,
            shown: (header.width, header.height),
            orientation: movie.orientation.flatMap { header.orientation?.followed(by: $0) }, timing: samples.timing)
    }

    /// Whether the box `trak` at `box`, which need not be valid, is known to have neither pictures nor sound.
    static func isAuxiliary(_ box: Box, _ boxes: BoxFile) -> Bool {
        func first(_ type: FourCC, in box: Box) -> Box? {
            var cursor = BoxCursor(in: box)
            while let child = (try? boxes.next(&cursor)) ?? nil {
                if child.type == type { return child }
            }
            return nil
        }
        guard let handler = first("mdia", in: box).flatMap({ first("hdlr", in: $0) }),
            var reader = try? boxes.reader(handler, from: 8, count: 4), let type = try? reader.fourCC()
        else { return false }
        return type != "vide" && type != "soun"
    }

    /// Reads `stbl`: the sample descriptions (`stsd`) and the durations of samples (`stts`).
    private static func sampleTable(
        _ box: Box, handler: FourCC, _ boxes: BoxFile
    ) throws(FileError) -> (entry: SampleEntry?, timing: SampleTiming) {
        let found = try boxes.children(["stsd", "stts"], of: box)
        var timing = SampleTiming()
        try timing.readTimeToSample(found[1], boxes)
        return (try SampleEntry.readFirst(found[0], handler: handler, boxes), timing)
    }
}

extension BoxFile {
    /// Returns the first child of each of `types` in the body of `box`.
    ///
    /// - Throws: `malformed` if one is missing; errors from `next(_:)`.
    func children(_ types: [FourCC], of box: Box) throws(FileError) -> [Box] {
        var found: [FourCC: Box] = [:]
        var cursor = BoxCursor(in: box)
        while let child = try next(&cursor) {
            if found[child.type] == nil, types.contains(child.type) {
                found[child.type] = child
            }
        }
        var result: [Box] = []
        for type in types {
            guard let child = found[type] else {
                let place = "the box '\(box.type)' at byte \(box.start)"
                throw file.error(.malformed, "a box '\(type)' was expected in \(place), but there is none")
            }
            result.append(child)
        }
        return result
    }
}

/// The header `tkhd` of a track (ISO/IEC 14496-12, section 8.3.2).
private struct TrackHeader {
    let id: UInt32
    /// The duration in the movie's timescale; nil if the box has none.
    let duration: UInt64?
    /// How the picture is turned; nil if that is not a quarter turn.
    let orientation: Orientation?
    /// The displayed size, before the picture is turned.
    let width, height: Int

    static func read(_ box: Box, _ boxes: BoxFile) throws(FileError) -> TrackHeader {
        var reader = try boxes.reader(box, upTo: 96)
        let header = try FullBoxHeader(timesOf: box.type, &reader)
        try reader.skip(2 * header.timeSize)
        let id = try reader.uint32()
        try reader.skip(4)
        let duration = try header.duration(&reader)
        // Reserved, layer, group, volume, reserved; after the matrix, two 16.16 fixed-point numbers.
        try reader.skip(8 + 8)
        return TrackHeader(
            id: id, duration: duration, orientation: try Orientation.read(&reader),
            width: Int(try reader.uint32() >> 16), height: Int(try reader.uint32() >> 16))
    }
}

/// The media header `mdhd` of a track (ISO/IEC 14496-12, section 8.4.2).
private struct MediaHeader {
    let timescale: UInt32
    /// The duration in `timescale`; nil if the box has none.
    let duration: UInt64?
    /// The ISO 639-2/T code of the language; nil if it is undetermined.
    let language: String?

    static func read(_ box: Box, _ boxes: BoxFile) throws(FileError) -> MediaHeader {
        var reader = try boxes.reader(box, upTo: 34)
        let header = try FullBoxHeader(timesOf: box.type, &reader)
        try reader.skip(2 * header.timeSize)
        return MediaHeader(
            timescale: try reader.timescale(of: box), duration: try header.duration(&reader),
            language: language(try reader.uint16()))
    }

    /// Three letters of five bits each. QuickTime's numbers below 0x400 are language codes of the classic Mac OS, of
    /// which 0, English, is used for any language; 0x7FFF means unspecified.
    private static func language(_ code: UInt16) -> String? {
        let letters = [code >> 10 & 0x1F, code >> 5 & 0x1F, code & 0x1F]
        guard letters.allSatisfy({ 1...26 ~= $0 }) else { return nil }
        let text = String(letters.map { Character(Unicode.Scalar(UInt8($0) + 0x60)) })
        return text == "und" ? nil : text
    }
}

/// The number of samples in a track, and their total duration.
struct SampleTiming {
    private(set) var count: UInt64 = 0
    /// The total duration in the media's timescale.
    private(set) var duration: UInt64 = 0
    /// The part of `duration` that the movie box describes, without fragments.
    private(set) var movieDuration: UInt64 = 0

    /// Reads `stts`: pairs of a number of samples and the duration of each (ISO/IEC 14496-12, section 8.6.1.2).
    fileprivate mutating func readTimeToSample(_ box: Box, _ boxes: BoxFile) throws(FileError) {
        var header = try boxes.reader(box, from: 4, count: 4)
        try boxes.table(of: box, from: 8, count: try header.uint32(), entrySize: 8) { reader throws(FileError) in
            let (count, duration) = (try reader.uint32(), try reader.uint32())
            try add(count, each: duration, reader)
        }
        movieDuration = duration
    }

    /// Adds `samples` samples of `duration` each.
    ///
    /// - Parameter reader: The reader of the numbers, for the position in the error.
    /// - Throws: `malformed` if the sum does not fit into 64 bits.
    mutating func add(_ samples: UInt32, each duration: UInt32, _ reader: ByteReader) throws(FileError) {
        let product = UInt64(samples) * UInt64(duration)  // at most (2^32 - 1)^2
        let (sum, overflow) = self.duration.addingReportingOverflow(product)
        guard !overflow else {
            throw reader.error(.malformed, "the durations of its samples add up to more than 64 bits can hold")
        }
        self.duration = sum
        count += UInt64(samples)  // one addition per table entry or box: far from 2^64
    }
}
