/// Makes the bytes of boxes.
enum Make {
    static func be16(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
    static func be32(_ value: UInt32) -> [UInt8] { be16(UInt16(value >> 16)) + be16(UInt16(value & 0xFFFF)) }
    static func be64(_ value: UInt64) -> [UInt8] { be32(UInt32(value >> 32)) + be32(UInt32(value & 0xFFFF_FFFF)) }
    static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// A box with its size first.
    static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
        let body = parts.flatMap { $0 }
        return be32(UInt32(8 + body.count)) + Array(type.utf8) + body
    }

    /// A full box: version and flags before its content.
    static func full(_ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ parts: [UInt8]...) -> [UInt8] {
        box(type, be32(UInt32(version) << 24 | flags), parts.flatMap { $0 })
    }

    static let brand = box("ftyp", Array("isom".utf8), be32(512))

    /// The matrix of a header: a, b, u, c, d, v, x, y, w.
    static func matrix(_ numbers: [Int32]) -> [UInt8] { numbers.flatMap { be32(UInt32(bitPattern: $0)) } }

    /// A movie box with a header of a timescale of 1000.
    static func movie(
        duration: UInt32 = 2000, timescale: UInt32 = 1000, matrix: [UInt8] = zeros(36), _ parts: [UInt8]...
    ) -> [UInt8] {
        let header = full("mvhd", zeros(8), be32(timescale), be32(duration), zeros(16), matrix, zeros(28))
        return box("moov", header, parts.flatMap { $0 })
    }

    /// A track whose media has a timescale of 600, by default video of 25 frames/s for 2 seconds.
    static func track(
        id: UInt32 = 1, duration: UInt32 = 0, handler: String = "vide", timescale: UInt32 = 600,
        mediaDuration: UInt32 = 1200, language: UInt16 = 0x55C4, matrix: [UInt8] = zeros(36),
        description: [UInt8] = description(videoEntry("avc1")),
        times: [UInt8] = times([(50, 24)]), edits: [UInt8] = []
    ) -> [UInt8] {
        let header = full(
            "tkhd", zeros(8), be32(id), zeros(4), be32(duration), zeros(16), matrix, be32(640 << 16), be32(480 << 16))
        let mediaHeader = full("mdhd", zeros(8), be32(timescale), be32(mediaDuration), be16(language), zeros(2))
        let media = box(
            "mdia", mediaHeader, full("hdlr", zeros(4), Array(handler.utf8), zeros(13)),
            // QuickTime's second handler, for the data, does not describe the media.
            box("minf", full("hdlr", Array("dhlralis".utf8), zeros(13)), box("stbl", description, times)))
        return box("trak", header, edits, media)
    }

    static func description(version: UInt8 = 0, _ entries: [UInt8]...) -> [UInt8] {
        full("stsd", version: version, be32(UInt32(entries.count)), entries.flatMap { $0 })
    }

    static func videoEntry(_ type: String, width: UInt16 = 320, _ extensions: [UInt8]...) -> [UInt8] {
        box(type, zeros(7), [1], zeros(16), be16(width), be16(width / 2), zeros(50), extensions.flatMap { $0 })
    }

    static func audioEntry(
        _ type: String, version: UInt16 = 0, channels: UInt16 = 2, rate: UInt32 = 44_100, _ rest: [UInt8]...
    ) -> [UInt8] {
        box(
            type, zeros(7), [1], be16(version), zeros(6), be16(channels), be16(16), zeros(4), be32(rate << 16),
            rest.flatMap { $0 })
    }

    static func times(_ entries: [(count: UInt32, duration: UInt32)]) -> [UInt8] {
        full("stts", be32(UInt32(entries.count)), entries.flatMap { be32($0.count) + be32($0.duration) })
    }

    /// `esds` with an AudioSpecificConfig.
    static func stream(objectType: UInt8 = 0x40, _ configuration: [UInt8]) -> [UInt8] {
        let specific = [5, UInt8(configuration.count)] + configuration
        let decoder = [4, UInt8(13 + specific.count), objectType] + zeros(12) + specific
        return full("esds", [3, 0x80, 0x80, UInt8(3 + decoder.count), 0, 1, 0] + decoder)
    }

    /// `mvex` with the defaults of track 1.
    static func extends(sampleDuration: UInt32, _ parts: [UInt8]...) -> [UInt8] {
        box("mvex", parts.flatMap { $0 }, full("trex", be32(1), be32(1), be32(sampleDuration), zeros(8)))
    }

    static func fragment(_ tracks: [UInt8]...) -> [UInt8] {
        box("moof", full("mfhd", be32(1)), tracks.flatMap { $0 })
    }

    /// `traf`: `time` is that of `tfdt`.
    static func fragmentTrack(
        id: UInt32 = 1, sampleDuration: UInt32? = nil, time: UInt64? = nil, _ runs: [UInt8]...
    ) -> [UInt8] {
        let header = full("tfhd", flags: sampleDuration == nil ? 0 : 8, be32(id), sampleDuration.map(be32) ?? [])
        let start = time.map { full("tfdt", version: 1, be64($0)) } ?? []
        return box("traf", header, start, runs.flatMap { $0 })
    }

    static func run(count: UInt32) -> [UInt8] { full("trun", flags: 0x1, be32(count), zeros(4)) }

    /// `trun` with data offset, first flags, and of each sample the duration, size and flags.
    static func run(durations: [UInt32]) -> [UInt8] {
        full(
            "trun", flags: 0x705, be32(UInt32(durations.count)), zeros(8),
            durations.flatMap { be32($0) + be32(100) + be32(0) })
    }
}
