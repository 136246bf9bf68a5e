import NXKit

/// The first sample description of a track: its coding and the decoder's configuration (ISO/IEC 14496-12, section 8.5.2
/// and chapter 12; QuickTime File Format Specification, "Media Data Atom Types").
struct SampleEntry {
    /// The coding; for encrypted media, the original coding.
    var format: FourCC
    var isEncrypted = false
    /// The codec string of RFC 6381.
    var codecString: String?
    /// Nil if the track is not video, or if the value in the file is 0.
    var width: Int?
    var height: Int?
    /// Nil if the track is not audio, or if the value does not fit into the field in the file.
    var sampleRate: Int?
    var channels: Int?

    /// Reads the first entry of the box `stsd` at `box`; nil if it has none.
    ///
    /// - Parameter handler: The track's handler type, on which the layout depends.
    /// - Throws: `malformed` when the entry is too short for its fields; `limitExceeded`.
    static func readFirst(_ box: Box, handler: FourCC, _ boxes: BoxFile) throws(FileError) -> SampleEntry? {
        var reader = try boxes.reader(box, count: 8)
        let header = try FullBoxHeader(&reader)
        var cursor = BoxCursor(in: box, from: 8)
        guard try reader.uint32() > 0, let description = try boxes.next(&cursor) else { return nil }
        var entry = SampleEntry(format: description.type)
        switch handler {
        case "vide":
            try entry.readVideo(description, boxes)
            entry.readExtensions(BoxCursor(in: description, from: 78), boxes)
        case "soun":
            let fields = try entry.readAudio(description, isISO: header.version > 0, boxes)
            entry.readExtensions(BoxCursor(in: description, from: fields), boxes)
        default:
            break
        }
        return entry
    }

    /// The size of the coded picture follows after 8 bytes that all entries share, and 16 reserved bytes.
    private mutating func readVideo(_ box: Box, _ boxes: BoxFile) throws(FileError) {
        var reader = try boxes.reader(box, from: 24, count: 4)
        let (width, height) = (Int(try reader.uint16()), Int(try reader.uint16()))
        self.width = width > 0 ? width : nil
        self.height = height > 0 ? height : nil
    }

    /// - Parameter isISO: Whether version 1 is ISO's, which adds no fields, rather than QuickTime's.
    /// - Returns: The size of all fields in bytes, which depends on the version.
    private mutating func readAudio(_ box: Box, isISO: Bool, _ boxes: BoxFile) throws(FileError) -> UInt64 {
        var reader = try boxes.reader(box, from: 8, count: 20)
        let version = try reader.uint16()
        try reader.skip(6)  // revision, vendor
        let channels = Int(try reader.uint16())
        try reader.skip(6)  // bits per sample, compression, packet size
        let rate = Int(try reader.uint32() >> 16)  // 16.16 fixed point
        self.channels = channels
        self.sampleRate = rate > 0 ? rate : nil
        switch version {
        case 1 where !isISO:
            return 44
        case 2 where !isISO:
            var reader = try boxes.reader(box, from: 32, count: 12)
            let rate = Double(bitPattern: try reader.uint64())
            self.sampleRate = Int(exactly: rate.rounded()).flatMap { $0 > 0 ? $0 : nil }
            self.channels = Int(try reader.uint32())
            return 64
        default:
            return 28
        }
    }
}

extension SampleEntry {
    /// Reads the boxes after the fields of an entry: the decoder's configuration, and for encrypted media the original
    /// coding.
    ///
    /// Boxes that cannot be read are skipped: they only add details, and old QuickTime files end with padding.
    private mutating func readExtensions(_ start: BoxCursor, _ boxes: BoxFile) {
        // Read the original coding first, because a codec string begins with it.
        readEach(start, boxes) { entry, box in
            if box.type == "sinf" { entry.readProtection(box, boxes) }
        }
        // The field of the entry is to be ignored (ETSI TS 102 366, annex F); it is nearly always 2.
        if format == "ac-3" || format == "ec-3" { channels = nil }
        readEach(start, boxes) { entry, box in
            // QuickTime wraps the configuration of sound in another box.
            guard box.type == "wave" else { return entry.readConfiguration(box, boxes) }
            entry.readEach(BoxCursor(in: box), boxes) { $0.readConfiguration($1, boxes) }
        }
    }

    private mutating func readEach(
        _ start: BoxCursor, _ boxes: BoxFile, read: (inout SampleEntry, Box) -> Void
    ) {
        var cursor = start
        while let box = (try? boxes.next(&cursor)) ?? nil { read(&self, box) }
    }

    /// `sinf`: the original format `frma` of an encrypted entry (ISO/IEC 14496-12, section 8.12).
    private mutating func readProtection(_ box: Box, _ boxes: BoxFile) {
        isEncrypted = true
        if let original = try? boxes.children(["frma"], of: box)[0], var reader = try? boxes.reader(original, count: 4),
            let format = try? reader.fourCC()
        {
            self.format = format
        }
    }

    private mutating func readConfiguration(_ box: Box, _ boxes: BoxFile) {
        // 256 bytes are enough for every configuration: the needed fields are at the beginning.
        guard var reader = try? boxes.reader(box, upTo: 256) else { return }
        switch box.type {
        case "avcC": codecString = try? CodecString.avc(format, &reader)
        case "hvcC": codecString = try? CodecString.hevc(format, &reader)
        case "vpcC": codecString = try? CodecString.vp(format, &reader)
        case "av1C": codecString = try? CodecString.av1(format, &reader)
        case "esds":
            guard let descriptor = try? ElementaryStream.read(&reader) else { return }
            codecString = descriptor.codecString(format)
            sampleRate = descriptor.audio?.sampleRate ?? sampleRate
            channels = descriptor.audio?.channels ?? (descriptor.isAC3 ? nil : channels)
        case "dac3", "dec3", "dOps", "dfLa", "alac":
            guard let sound = try? SoundConfiguration.read(box.type, &reader) else { return }
            sampleRate = sound.sampleRate ?? sampleRate
            channels = sound.channels
        case "srat":
            // The sample rate of an ISO entry of version 1, which may need more than 16 bits.
            guard (try? reader.skip(4)) != nil, let rate = try? reader.uint32(), rate > 0 else { return }
            sampleRate = Int(rate)
        default: break
        }
    }
}
