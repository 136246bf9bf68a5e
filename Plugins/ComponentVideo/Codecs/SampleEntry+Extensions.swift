import NXKit

extension SampleEntry {
    /// Reads the boxes behind the fields of an entry: the decoder's configuration, and for encrypted media the coding
    /// underneath.
    ///
    /// They only add to what is known, and old QuickTime files end with padding: what can't be read is left out.
    mutating func readExtensions(_ start: BoxCursor, _ boxes: BoxFile) {
        // First the coding underneath, which a codec string begins with.
        readEach(start, boxes) { entry, box in
            if box.type == "sinf" { entry.readProtection(box, boxes) }
        }
        readEach(start, boxes) { entry, box in
            // QuickTime wraps the configuration of sound once more.
            guard box.type == "wave" else { return entry.readConfiguration(box, boxes) }
            entry.readEach(BoxCursor(in: box), boxes) { $0.readConfiguration($1, boxes) }
        }
    }

    private mutating func readEach(
        _ start: BoxCursor, _ boxes: BoxFile, _ read: (inout SampleEntry, Box) -> Void
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
        // Enough for each of them: what is needed stands at the beginning.
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
            channels = descriptor.audio?.channels ?? channels
        case "srat":
            // The rate of an ISO entry of version 1, which may need more than 16 bits.
            guard (try? reader.skip(4)) != nil, let rate = try? reader.uint32(), rate > 0 else { return }
            sampleRate = Int(rate)
        default: break
        }
    }
}
