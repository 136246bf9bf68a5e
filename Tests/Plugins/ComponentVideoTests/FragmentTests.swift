import NXKit
import Testing

@testable import ComponentVideo

@Suite("Movie fragments")
struct FragmentTests {
    /// A film whose only track has no samples in the movie box, followed by fragments. Its timescale is 600.
    private func film(
        movieDuration: UInt32 = 0, mediaDuration: UInt32 = 0, times: [(UInt32, UInt32)] = [],
        sampleDuration: UInt32 = 20,
        _ extensions: [UInt8] = [], _ fragments: [UInt8]...
    ) -> [UInt8] {
        let track = Make.track(mediaDuration: mediaDuration, times: Make.times(times))
        let extends = Make.extends(sampleDuration: sampleDuration, extensions)
        return Make.brand + Make.movie(duration: movieDuration, track, extends) + fragments.flatMap { $0 }
    }

    @Test("durations come from each sample, the track's header, or the movie's defaults")
    func durations() throws {
        let info = try read(
            film(
                [],
                Make.fragment(Make.fragmentTrack(time: 0, Make.run(durations: [10, 20, 30]))),
                Make.fragment(Make.fragmentTrack(sampleDuration: 15, time: 60, Make.run(count: 4))),
                Make.fragment(Make.fragmentTrack(time: 120, Make.run(count: 2), Make.run(count: 1)))))
        #expect(info.isFragmented)
        #expect(info.duration == MediaTime(value: 180, timescale: 600))
        #expect(info.tracks.map(\.line) == ["1 video vide avc1 320x160 100/3 frames/s 10 samples 0.3 s"])
    }

    @Test("fragments without a start time follow each other")
    func withoutTime() throws {
        let fragment = Make.fragment(Make.fragmentTrack(Make.run(count: 5)))
        let info = try read(film([], fragment, fragment, fragment))
        #expect(info.duration == MediaTime(value: 300, timescale: 600))
    }

    @Test("fragments follow the samples of the movie box")
    func afterSamples() throws {
        let fragment = Make.fragment(Make.fragmentTrack(Make.run(count: 5)))
        let info = try read(film(movieDuration: 100, times: [(3, 20)], [], fragment))
        #expect(info.duration == MediaTime(value: 160, timescale: 600))
        #expect(info.tracks[0].sampleCount == 8)
    }

    @Test("a recording that begins within a programme plays from there")
    func live() throws {
        let hour: UInt64 = 600 * 3600
        let info = try read(
            film(
                [], Make.fragment(Make.fragmentTrack(time: hour, Make.run(count: 30))),
                Make.fragment(Make.fragmentTrack(time: hour + 600, Make.run(count: 30)))))
        #expect(info.durationSeconds == 2)
        #expect(info.tracks[0].frameRate == Ratio(30, 1))
    }

    @Test("the duration in 'mehd' counts", arguments: [0 as UInt8, 1])
    func extendedDuration(version: UInt8) throws {
        let value = version == 0 ? Make.be32(7000) : Make.be64(7000)
        let info = try read(
            film(
                movieDuration: 100, Make.full("mehd", version: version, value),
                Make.fragment(Make.fragmentTrack(Make.run(count: 5)))))
        #expect(info.duration == MediaTime(value: 7000, timescale: 1000))
    }

    @Test("without fragments, the segment index has the duration", arguments: [0 as UInt8, 1])
    func index(version: UInt8) throws {
        let references = [500, 700].flatMap { Make.be32(1000) + Make.be32($0) + Make.be32(0) }
        let times = Make.zeros(version == 0 ? 8 : 16)
        let index = Make.full("sidx", version: version, Make.be32(1), Make.be32(600), times, Make.be32(2), references)
        let info = try read(film([], index))
        #expect(info.duration == MediaTime(value: 1200, timescale: 600))
    }

    @Test("a film that promises fragments but has none has the duration of its header")
    func promisedOnly() throws {
        let info = try read(film(movieDuration: 1234))
        #expect(info.isFragmented)
        #expect(info.duration == MediaTime(value: 1234, timescale: 1000))
    }

    @Test("fragments before the movie box count too")
    func fragmentsFirst() throws {
        let fragment = Make.fragment(Make.fragmentTrack(sampleDuration: 20, Make.run(count: 30)))
        let info = try read(Make.brand + fragment + Make.movie(Make.track(times: Make.times([]))))
        #expect(info.isFragmented)
        #expect(info.durationSeconds == 1)
    }

    @Test("a fragment of an undescribed track is skipped")
    func unknownTrack() throws {
        let info = try read(film([], Make.fragment(Make.fragmentTrack(id: 9, Make.run(count: 5)))))
        #expect(info.tracks[0].sampleCount == 0)
        #expect(info.durationSeconds == 0)
    }

    @Test("if the last fragment is truncated, the ones before it count")
    func cutOff() throws {
        let fragment = Make.fragment(Make.fragmentTrack(Make.run(count: 30)))
        let info = try read(film([], fragment, Array(fragment.dropLast())))
        #expect(!info.isComplete)
        #expect(info.durationSeconds == 1)
    }

    @Test("4 billion samples of equal length need no table")
    func manyEqual() throws {
        let info = try read(film([], Make.fragment(Make.fragmentTrack(time: 0, Make.run(count: .max)))))
        #expect(info.tracks[0].sampleCount == UInt64(UInt32.max))
        #expect(info.duration == MediaTime(value: UInt64(UInt32.max) * 20, timescale: 600))
    }

    @Test("a fragment that contradicts itself is refused")
    func malformed() throws {
        let missing = try refusal(film([], Make.fragment(Make.box("traf", Make.run(count: 5)))))
        #expect(missing?.message.contains("a box 'tfhd' was expected first in the box 'traf'") == true)
        let late = try refusal(film([], Make.fragment(Make.fragmentTrack(time: .max - 50, Make.run(count: 5)))))
        #expect(late?.code == .malformed)
        #expect(late?.message.contains("ends beyond the range of 64 bits") == true)
        var run = Make.run(durations: [10, 20])
        run.replaceSubrange(12..<16, with: Make.be32(.max))
        let tooMany = try refusal(film([], Make.fragment(Make.fragmentTrack(run))))
        #expect(tooMany?.code == .malformed)
        #expect(tooMany?.message.contains("declares 4294967295 entries of 12 bytes, but has only 40 bytes") == true)
    }
}
