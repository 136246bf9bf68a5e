import NXKit

extension TrackDraft {
    /// Reads the box `trak` at `box`: `tkhd`, and in `mdia` the boxes `mdhd`, `hdlr` and `minf`.
    ///
    /// - Throws: `malformed` when one of them is missing or contradicts itself; `unsupported`; `limitExceeded`.
    static func read(_ box: Box, movieTimescale: UInt32, _ boxes: BoxFile) throws(FileError) -> TrackDraft {
        let found = try boxes.children(["tkhd", "mdia"], of: box)
        let header = try trackHeader(found[0], boxes)
        // QuickTime has a second 'hdlr', inside 'minf', for the data: it is not the one that tells the media.
        let media = try boxes.children(["mdhd", "hdlr", "minf"], of: found[1])
        let mediaHeader = try MediaHeader.read(media[0], boxes)
        var handlerReader = try boxes.reader(media[1], from: 8, count: 4)
        let handler = try handlerReader.fourCC()
        let table = try boxes.children(["stbl"], of: media[2])
        let samples = try sampleTable(table[0], handler: handler, boxes)
        return TrackDraft(
            id: header.id, handler: handler, timescale: mediaHeader.timescale,
            presented: header.duration.map { MediaTime(value: $0, timescale: movieTimescale) },
            mediaDuration: mediaHeader.duration, language: mediaHeader.language, sampleEntry: samples.entry,
            shown: (header.width, header.height), timing: samples.timing)
    }

    /// `tkhd`: times of creation and change, id, duration in the movie's timescale; at the end the shown size.
    private static func trackHeader(
        _ box: Box, _ boxes: BoxFile
    ) throws(FileError) -> (id: UInt32, duration: UInt64?, width: Int, height: Int) {
        var reader = try boxes.reader(box, upTo: 96)
        let header = try FullBoxHeader(timesOf: box.type, &reader)
        try reader.skip(2 * header.timeSize)
        let id = try reader.uint32()
        try reader.skip(4)
        let duration = try header.duration(&reader)
        // Reserved, layer, group, volume, reserved, matrix; then two numbers of 16 bits before and behind the point.
        try reader.skip(8 + 8 + 36)
        return (id, duration, Int(try reader.uint32() >> 16), Int(try reader.uint32() >> 16))
    }

    /// `stbl`: the sample descriptions (`stsd`) and how long samples are (`stts`).
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
    /// The first child of each of `types` in the body of `box`.
    ///
    /// - Throws: `malformed` when one is missing; as `next(_:)`.
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
