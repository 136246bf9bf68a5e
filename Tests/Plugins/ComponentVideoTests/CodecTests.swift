import NXKit
import Testing

@testable import ComponentVideo

@Suite("Sample descriptions")
struct CodecTests {
    private func video(_ entry: [UInt8]) throws -> String {
        try read(Make.movie(Make.track(description: Make.description(entry)))).tracks[0].line
            .replacing(" 25/1 frames/s 50 samples 2.0 s", with: "").replacing("1 video vide ", with: "")
    }

    private func audio(version: UInt8 = 0, _ entry: [UInt8]) throws -> String {
        let track = Make.track(handler: "soun", description: Make.description(version: version, entry))
        return try read(Make.movie(track)).tracks[0].line
            .replacing(" 50 samples 2.0 s", with: "").replacing("1 audio soun ", with: "")
    }

    @Test(
        "the configuration of video has profile and level",
        arguments: [
            ("avc1", "avcC", [1, 0x42, 0xE0, 0x1E, 0xFF] as [UInt8], "avc1.42E01E"),
            ("avc3", "avcC", [1, 0x64, 0, 0x28], "avc3.640028"),
            ("hev1", "hvcC", [1, 0x22, 0x20, 0, 0, 0, 0xB0, 0, 0, 0, 0, 0, 0x99], "hev1.2.4.H153.B0"),
            ("hvc1", "hvcC", [1, 0x41, 0x60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 93], "hvc1.A1.6.L93"),
            ("hvc1", "hvcC", [1, 0x04, 0, 0, 0, 1, 0x9, 0, 0x10, 0, 0, 0, 93], "hvc1.4.80000000.L93.9.0.10"),
            ("vp09", "vpcC", [1, 0, 0, 0, 2, 51, 0xA0], "vp09.02.51.10"),
            ("av01", "av1C", [0x81, 0x08, 0x4C], "av01.0.08M.10"),
            ("av01", "av1C", [0x81, 0x54, 0xE0], "av01.2.20H.12"),
        ])
    func configurations(type: String, box: String, content: [UInt8], text: String) throws {
        #expect(try video(Make.videoEntry(type, Make.box(box, content))) == "\(type) \(text) 320x160")
    }

    @Test("a truncated configuration omits the string", arguments: ["avcC", "hvcC", "vpcC", "av1C", "esds"])
    func cutOff(box: String) throws {
        #expect(try video(Make.videoEntry("avc1", Make.box(box, [1, 2]))) == "avc1 320x160")
    }

    @Test("padding after a description is skipped", arguments: [1, 4, 7, 8, 40])
    func padding(count: Int) throws {
        let entry = Make.videoEntry("avc1", Make.box("avcC", [1, 0x42, 0xE0, 0x1E]), Make.zeros(count))
        #expect(try video(entry) == "avc1 avc1.42E01E 320x160")
        let text = [UInt8](repeating: 0x41, count: count)
        #expect(
            try video(Make.videoEntry("avc1", Make.box("avcC", [1, 0x42, 0xE0, 0x1E]), text))
                == "avc1 avc1.42E01E 320x160")
    }

    @Test("without the size of the coded picture, that of the track is used")
    func trackSize() throws {
        #expect(try video(Make.videoEntry("avc1", width: 0)) == "avc1 640x480")
    }

    @Test("an encrypted description has the original coding")
    func encrypted() throws {
        let protection = Make.box("sinf", Make.box("frma", Array("hvc1".utf8)), Make.full("schm"))
        #expect(try video(Make.videoEntry("encv", protection)) == "hvc1 encrypted 320x160")
        let nameless = Make.box("sinf", Make.full("schm"))
        #expect(try video(Make.videoEntry("encv", nameless)) == "encv encrypted 320x160")
    }

    @Test("a track may have no description")
    func noDescription() throws {
        let info = try read(Make.movie(Make.track(description: Make.description())))
        #expect(info.tracks[0].codec == nil)
        #expect(info.tracks[0].width == 640)
    }

    @Test("a description that is too short for its fields is refused")
    func tooShort() throws {
        let error = try refusal(Make.movie(Make.track(description: Make.description(Make.box("avc1", Make.zeros(20))))))
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("the box 'avc1' at byte") == true)
    }

    @Test(
        "the configuration of MPEG-4 audio has object type, rate and channels",
        arguments: [
            ([0x12, 0x10] as [UInt8], "mp4a mp4a.40.2 44100 Hz 2 channels"),
            ([0x11, 0xB8], "mp4a mp4a.40.2 48000 Hz 8 channels"),
            ([0x14, 0x08], "mp4a mp4a.40.2 16000 Hz 1 channels"),
            // HE-AAC: 24000 Hz in the core, 48000 decoded; version 2 turns one channel into stereo.
            ([0x2B, 0x11, 0x88], "mp4a mp4a.40.5 48000 Hz 2 channels"),
            ([0xEB, 0x09, 0x88], "mp4a mp4a.40.29 48000 Hz 2 channels"),
            // An escaped object type (42, xHE-AAC) and an explicit rate (12345 Hz).
            ([0xF9, 0x48, 0x40], "mp4a mp4a.40.42 44100 Hz 2 channels"),
            ([0x17, 0x80, 0x18, 0x1C, 0x88], "mp4a mp4a.40.2 12345 Hz 1 channels"),
            // With a reserved rate, or no configuration, the values of the entry are used.
            ([0x17, 0x10], "mp4a mp4a.40 44100 Hz 2 channels"), ([], "mp4a mp4a.40 44100 Hz 2 channels"),
        ])
    func audioConfigurations(configuration: [UInt8], text: String) throws {
        #expect(try audio(Make.audioEntry("mp4a", Make.stream(configuration))) == text)
    }

    @Test("other codings in the same descriptor have their object type")
    func objectType() throws {
        #expect(
            try audio(Make.audioEntry("mp4a", Make.stream(objectType: 0x6B, []))) == "mp4a mp4a.6B 44100 Hz 2 channels")
    }

    static let soundBoxes: [(type: String, box: String, content: [UInt8], text: String)] = [
        ("ac-3", "dac3", [0x10, 0x3D, 0x60], "48000 Hz 6 channels"),
        ("ac-3", "dac3", [0x50, 0x08, 0x00], "44100 Hz 1 channels"), ("ac-3", "dac3", [0x10], "44100 Hz"),
        ("ec-3", "dec3", [0x14, 0, 0x20, 0x0F, 0], "48000 Hz 6 channels"),
        // A further substream may have more channels.
        ("ec-3", "dec3", [0x14, 0, 0x20, 0x0F, 2, 1], "48000 Hz"),
        ("Opus", "dOps", [0, 6, 1, 0x38, 0, 0, 0xAC, 0x44], "44100 Hz 6 channels"),
        (
            "fLaC", "dfLa", [0, 0, 0, 0, 0x80, 0, 0, 34, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x17, 0x70, 0x0A],
            "96000 Hz 6 channels"
        ),
        (
            "alac", "alac",
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0xEE, 0],
            "192000 Hz 8 channels"
        ),
    ]

    @Test("the channels of sound are those of its own box, and the field of AC-3 is ignored", arguments: soundBoxes)
    func ownBoxes(type: String, box: String, content: [UInt8], text: String) throws {
        #expect(try audio(Make.audioEntry(type, Make.box(box, content))) == "\(type) \(text)")
    }

    @Test("AAC of MPEG-2 has a configuration, and AC-3 in the same descriptor has its channels elsewhere")
    func furtherObjectTypes() throws {
        for (objectType, configuration, text) in [
            (0x67, [0x11, 0xB0], "mp4a.67 48000 Hz 6 channels"), (0xA5, [], "mp4a.A5 44100 Hz"),
            (0x67, Array("ADIF".utf8), "mp4a.67 44100 Hz 2 channels"),
        ] as [(UInt8, [UInt8], String)] {
            let entry = Make.audioEntry("mp4a", Make.stream(objectType: objectType, configuration))
            #expect(try audio(entry) == "mp4a \(text)")
        }
        let bare = Make.full("esds", [3, 18, 0, 1, 0, 4, 13, 0x66] + Make.zeros(12))
        #expect(try audio(Make.audioEntry("mp4a", bare)) == "mp4a mp4a.66 44100 Hz 2 channels")
    }

    @Test("QuickTime's versions of a sound description are read")
    func soundVersions() throws {
        let configuration = Make.box(
            "wave", Make.box("frma", Array("mp4a".utf8)), Make.stream([0x14, 0x08]), Make.zeros(4))
        let first = Make.audioEntry("mp4a", version: 1, Make.zeros(16), configuration)
        #expect(try audio(first) == "mp4a mp4a.40.2 16000 Hz 1 channels")
        let rate = Make.be64((192_000.0).bitPattern)
        let second = Make.audioEntry(
            "lpcm", version: 2, channels: 3, rate: 1, Make.be32(72), rate, Make.be32(6), Make.zeros(20))
        #expect(try audio(second) == "lpcm 192000 Hz 6 channels")
    }

    @Test("the timescale replaces an invalid rate", arguments: [Double.nan, .infinity, -8000, 1e300, 0])
    func badRate(rate: Double) throws {
        let entry = Make.audioEntry(
            "lpcm", version: 2, Make.be32(72), Make.be64(rate.bitPattern), Make.be32(6), Make.zeros(20))
        #expect(try audio(entry) == "lpcm 600 Hz 6 channels")
    }

    @Test("ISO's version 1 has its rate in a box")
    func isoVersion() throws {
        let entry = Make.audioEntry("mp4a", version: 1, rate: 1, Make.full("srat", Make.be32(96_000)))
        #expect(try audio(version: 1, entry) == "mp4a 96000 Hz 2 channels")
    }
}
