import NXKit
import TestSupport
import Testing

@testable import ComponentVideo

@Suite("Boxes")
struct BoxTests {
    private static let movie = Make.movie(Make.track())
    private static let line = "1 video vide avc1 320x160 25/1 frames/s 50 samples 2.0 s"

    @Test("a small film made of boxes is described")
    func plain() throws {
        let info = try read(Make.brand + Self.movie)
        #expect(info.brand == "isom")
        #expect(info.durationSeconds == 2)
        #expect(!info.isFragmented && info.isComplete)
        #expect(info.tracks.map(\.line) == [Self.line])
    }

    @Test(
        "an old QuickTime file begins with any of its boxes",
        arguments: ["", "wide", "mdat", "skip", "free", "uuid", "junk", "PICT", "udta"])
    func withoutBrand(first: String) throws {
        let info = try read((first.isEmpty ? [] : Make.box(first, [1, 2, 3])) + Self.movie)
        #expect(info.brand == nil)
        #expect(info.tracks.map(\.line) == [Self.line])
    }

    @Test("zero bytes behind the last box belong to nothing", arguments: [1, 4, 7, 8, 12])
    func trailingZeros(count: Int) throws {
        let info = try read(Make.brand + Self.movie + Make.zeros(count))
        #expect(info.isComplete)
        #expect(info.tracks.map(\.line) == [Self.line])
        // Without the description, the file ends within the length of a box.
        #expect(try refusal(Make.brand + Make.zeros(3))?.code == .truncated)
    }

    @Test(
        "a wrong length in a box that nothing is read from costs nothing", arguments: ["udta", "free", "uuid", "meta"])
    func wrongLengths(type: String) throws {
        for size in [3, 1000] as [UInt32] {
            let rest = Make.be32(size) + Array(type.utf8) + Make.zeros(20)
            #expect(try read(Make.brand + Make.movie(Make.track(), rest)).tracks.map(\.line) == [Self.line])
        }
        let before = Make.be32(1000) + Array(type.utf8) + Make.track()
        let error = try refusal(Make.brand + Make.movie(before))
        #expect(error?.code == .malformed && error?.message.contains("tracks were not found") == true)
        let needed = Make.be32(1000) + Array("trak".utf8) + Make.zeros(20)
        #expect(try refusal(Make.brand + Make.movie(Make.track(), needed))?.code == .malformed)
    }

    @Test("a broken track that has neither pictures nor sound costs itself only", arguments: ["text", "tmcd", "meta"])
    func brokenTrack(handler: String) throws {
        func broken(_ handler: String) throws -> [UInt8] {
            var track = Make.track(id: 2, handler: handler)
            let place = try #require(track.indices.first { track[$0...].starts(with: Array("stts".utf8)) })
            track.replaceSubrange(place..<place + 4, with: Array("free".utf8))
            return track
        }
        let info = try read(Make.brand + Make.movie(Make.track(), try broken(handler)))
        #expect(info.tracks.map(\.line) == [Self.line])
        for tracks in [try broken(handler), Make.track() + (try broken("soun")), Make.track() + (try broken("vide"))] {
            #expect(try refusal(Make.brand + Make.movie(tracks))?.code == .malformed)
        }
    }

    @Test("a box with a 64-bit size is skipped")
    func largeSize() throws {
        let media = Make.be32(1) + Array("mdat".utf8) + Make.be64(19) + [1, 2, 3]
        let info = try read(Make.brand + media + Self.movie)
        #expect(info.isComplete)
        #expect(info.tracks.map(\.line) == [Self.line])
    }

    @Test("5 GB of media before the description are skipped")
    func hugeMedia() throws {
        let size = 5 << 30
        let file = try TemporaryFile(Make.brand + Make.be32(1) + Array("mdat".utf8) + Make.be64(UInt64(size)))
        try file.write(Self.movie, at: Make.brand.count + size)
        let info = try Film.read(path: file.path)
        #expect(info.tracks.map(\.line) == [Self.line])
    }

    @Test("a box of size 0 extends to the end of the file")
    func sizeZero() throws {
        let info = try read(Make.brand + Self.movie + Make.be32(0) + Array("mdat".utf8) + Self.movie)
        #expect(info.isComplete)
        #expect(info.tracks.count == 1)
        let last = try read(Make.brand + Make.be32(0) + Self.movie.dropFirst(4))
        #expect(last.tracks.map(\.line) == [Self.line])
    }

    @Test("a box that declares less than its header is refused", arguments: 2...7 as ClosedRange<UInt32>)
    func tooSmall(size: UInt32) throws {
        let error = try refusal(Make.brand + Make.be32(size) + Array("moov".utf8) + Make.zeros(8))
        #expect(error?.code == .malformed)
        let reason = "a box of at least 8 bytes was expected at byte 16, but 'moov' declares \(size)"
        #expect(error?.message.hasSuffix(reason) == true)
    }

    @Test("a box with a 64-bit size less than its header is refused", arguments: [0, 1, 15] as [UInt64])
    func tooSmallLarge(size: UInt64) throws {
        let error = try refusal(Make.brand + Make.be32(1) + Array("moov".utf8) + Make.be64(size))
        #expect(error?.code == .malformed)
        #expect(
            error?.message.hasSuffix("at least 16 bytes was expected at byte 16, but 'moov' declares \(size)")
                == true)
    }

    @Test("a description beyond the end of the file is refused as truncated", arguments: [100, UInt64.max])
    func cutOff(size: UInt64) throws {
        let error = try refusal(Make.brand + Make.be32(1) + Array("moov".utf8) + Make.be64(size) + Make.zeros(20))
        #expect(error?.code == .truncated)
        let reason = "it ends at byte 52, inside the box 'moov' that begins at byte 16; copy the file again"
        #expect(error?.message.hasSuffix(reason) == true)
    }

    @Test(
        "media beyond the end of the file makes the film incomplete",
        arguments: [
            Make.be32(1000) + Array("mdat".utf8), Make.be32(1) + Array("mdat".utf8) + Make.be64(.max),
            Make.be32(1) + Array("mdat".utf8), [0, 0, 1],
        ])
    func incomplete(rest: [UInt8]) throws {
        let info = try read(Make.brand + Self.movie + rest)
        #expect(!info.isComplete)
        #expect(info.tracks.map(\.line) == [Self.line])
    }

    @Test("a box that is longer than the one around it is refused")
    func tooLong() throws {
        let error = try refusal(Make.brand + Make.box("moov", Make.be32(100), Array("mvhd".utf8), Make.zeros(50)))
        #expect(error?.code == .malformed)
        let reason = "the box 'mvhd' at byte 24 is 100 bytes long, but the box around it has only 58 left"
        #expect(error?.message.hasSuffix(reason) == true)
    }

    /// Boxes of one type inside each other, 10,000 of them.
    private func nest(_ type: String) -> [UInt8] {
        (0..<10_000).flatMap { Make.be32(UInt32(8 * (10_000 - $0))) + Array(type.utf8) }
    }

    @Test("boxes nested 10,000 deep do no harm")
    func nested() throws {
        let movies = try refusal(Make.brand + nest("moov"))
        #expect(movies?.code == .malformed)
        let reason = "a box 'mvhd' was expected in the box 'moov' at byte 16, but there is none"
        #expect(movies?.message.hasSuffix(reason) == true)
        let tracks = try refusal(Make.brand + Make.movie(nest("trak")))
        #expect(tracks?.message.contains("a box 'tkhd' was expected in the box 'trak'") == true)
        let others = try read(Make.brand + Make.movie(Make.track(), nest("udta")))
        #expect(others.tracks.map(\.line) == [Self.line])
    }
}
