import NXKit
import Testing

@testable import ComponentVideo

@Suite("Limits")
struct LimitTests {
    @Test("a table that is longer than its box is refused without reading it", arguments: [2, 1_000_000, UInt32.max])
    func tableTooLong(count: UInt32) throws {
        let times = Make.full("stts", Make.be32(count), Make.be32(1), Make.be32(1))
        let error = try refusal(Make.movie(Make.track(times: times)))
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("declares \(count) entries of 8 bytes, but has only 16 bytes") == true)
    }

    @Test("a table is read in pieces", arguments: [8191, 8192, 8193, 100_000])
    func longTable(count: Int) throws {
        let times = Make.times([(UInt32, UInt32)](repeating: (1, 24), count: count))
        let info = try read(Make.movie(Make.track(times: times)))
        #expect(info.tracks[0].sampleCount == UInt64(count))
        #expect(info.tracks[0].frameRate == Ratio(25, 1))
    }

    @Test("durations that add up to more than 64 bits are refused")
    func overflow() throws {
        let times = Make.times([(.max, .max), (.max, .max)])
        let error = try refusal(Make.movie(Make.track(times: times)))
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("add up to more than 64 bits can hold") == true)
    }

    @Test("boxes are read up to the limit")
    func boxes() throws {
        // 16 boxes of the film, and the free ones.
        let count = 50
        let bytes = Make.movie(Make.track(), (0..<count).flatMap { _ in Make.box("free") })
        var limits = VideoLimits(boxes: 1000, tableEntries: 10, tracks: 1)
        let info = try read(bytes, limits: limits)
        limits.boxes = count
        let error = try refusal(bytes, limits: limits)
        #expect(info.tracks.count == 1)
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.hasSuffix("there are more than 50 boxes") == true)
    }

    @Test("entries of all tables together are limited")
    func entries() throws {
        let times = Make.times([(UInt32, UInt32)](repeating: (1, 24), count: 6))
        let bytes = Make.movie(Make.track(times: times), Make.track(id: 2, times: times))
        var limits = VideoLimits(boxes: 1000, tableEntries: 12, tracks: 2)
        #expect(try read(bytes, limits: limits).tracks.count == 2)
        limits.tableEntries = 11
        let error = try refusal(bytes, limits: limits)
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.hasSuffix("its tables have more than 11 entries") == true)
    }

    @Test("tracks are limited")
    func tracks() throws {
        let bytes = Make.movie(Make.track(), Make.track(id: 2), Make.track(id: 3))
        var limits = VideoLimits(boxes: 1000, tableEntries: 1000, tracks: 3)
        #expect(try read(bytes, limits: limits).tracks.map(\.id) == [1, 2, 3])
        limits.tracks = 2
        let error = try refusal(bytes, limits: limits)
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.hasSuffix("it has more than 2 tracks") == true)
    }
}
