import NXKit
import Testing

@testable import ComponentVideo

@Suite("Headers of movies and tracks")
struct HeaderTests {
    @Test("headers of version 1 have times of 64 bits")
    func version1() throws {
        let long: UInt64 = 10_000_000_000
        let header = Make.full("mvhd", version: 1, Make.zeros(16), Make.be32(1000), Make.be64(long), Make.zeros(80))
        let trackHeader = Make.full(
            "tkhd", version: 1, Make.zeros(16), Make.be32(7), Make.zeros(4), Make.be64(long), Make.zeros(60))
        let mediaHeader = Make.full(
            "mdhd", version: 1, Make.zeros(16), Make.be32(90_000), Make.be64(long * 90), Make.be16(0x15C7))
        let table = Make.box("stbl", Make.description(Make.videoEntry("avc1")), Make.times([]))
        let media = Make.box(
            "mdia", mediaHeader, Make.full("hdlr", Make.zeros(4), Array("vide".utf8)), Make.box("minf", table))
        let info = try read(Make.box("moov", header, Make.box("trak", trackHeader, media)))
        #expect(info.duration == MediaTime(value: long, timescale: 1000))
        #expect(info.durationSeconds == 10_000_000)
        #expect(info.tracks.map(\.line) == ["7 video vide avc1 320x160 0 samples 10000000.0 s eng"])
    }

    @Test("a later version of a header is refused", arguments: ["mvhd", "tkhd", "mdhd"])
    func laterVersion(type: String) throws {
        var bytes = Make.movie(Make.track())
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array(type.utf8)) })
        bytes[place + 4] = 2
        let error = try refusal(bytes)
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("version 0 or 1 of the box '\(type)' was expected, found 2") == true)
    }

    @Test("a timescale of 0 is refused")
    func timescale() throws {
        for bytes in [Make.movie(timescale: 0), Make.movie(Make.track(timescale: 0))] {
            let error = try refusal(bytes)
            #expect(error?.code == .malformed)
            #expect(error?.message.contains("a timescale of at least 1 was expected in the box") == true)
        }
    }

    @Test("an unknown duration is taken from the tracks", arguments: [0, UInt32.max])
    func unknownDuration(duration: UInt32) throws {
        let tracks = [Make.track(mediaDuration: 600), Make.track(id: 2, mediaDuration: 1800), Make.track(id: 3)]
        let info = try read(Make.movie(duration: duration, tracks.flatMap { $0 }))
        #expect(info.duration == MediaTime(value: 1800, timescale: 600))
    }

    @Test("the duration of a track is that of its header, else its media, else its samples")
    func trackDuration() throws {
        let presented = try read(Make.movie(Make.track(duration: 1500)))
        #expect(presented.tracks[0].duration == MediaTime(value: 1500, timescale: 1000))
        let media = try read(Make.movie(Make.track(mediaDuration: 1100)))
        #expect(media.tracks[0].duration == MediaTime(value: 1100, timescale: 600))
        let samples = try read(Make.movie(Make.track(mediaDuration: 0, times: Make.times([(10, 60), (1, 30)]))))
        #expect(samples.tracks[0].duration == MediaTime(value: 630, timescale: 600))
    }

    @Test("a movie without tracks has no duration")
    func noTracks() throws {
        let info = try read(Make.movie())
        #expect(info.tracks == [])
        #expect(info.durationSeconds == 2)
    }

    @Test(
        "a language is three letters or none",
        arguments: [
            (0x15C7 as UInt16, "eng" as String?), (0x10B5, "deu"), (0x55C4, nil), (0, nil), (11, nil), (0x7FFF, nil),
            (0x0421, "aaa"), (0x6B5A, "zzz"), (0x6F7B, nil),
        ])
    func language(code: UInt16, text: String?) throws {
        #expect(try read(Make.movie(Make.track(language: code))).tracks[0].language == text)
    }

    /// A table of times, and the resulting frame rate.
    struct Timing: Sendable {
        let times: [(UInt32, UInt32)]
        let timescale: UInt32
        let rate: Ratio?

        init(_ times: [(UInt32, UInt32)], _ timescale: UInt32, _ rate: Ratio?) {
            self.times = times
            self.timescale = timescale
            self.rate = rate
        }
    }

    static let timings = [
        Timing([(30, 1001)], 30_000, Ratio(30_000, 1001)), Timing([(50, 24)], 600, Ratio(25, 1)),
        Timing([(10, 1), (10, 3)], 600, Ratio(300, 1)), Timing([(1, 600)], 600, Ratio(1, 1)),
        Timing([], 600, nil), Timing([(5, 0)], 600, nil), Timing([(.max, .max)], .max, Ratio(1, 1)),
        Timing([(.max, 1), (.max, 1)], 1, Ratio(1, 1)),
    ]

    @Test("the frame rate is exact", arguments: timings)
    func frameRate(timing: Timing) throws {
        let track = Make.track(timescale: timing.timescale, times: Make.times(timing.times))
        #expect(try read(Make.movie(track)).tracks[0].frameRate == timing.rate)
    }

    @Test("a fraction is in lowest terms, and needs a denominator")
    func fraction() {
        #expect(Ratio(50, 100).map(\.description) == "1/2")
        #expect(Ratio(0, 7).map(\.description) == "0/1")
        #expect(Ratio(.max, .max).map(\.description) == "1/1")
        #expect(Ratio(7, 0) == nil)
    }
}
