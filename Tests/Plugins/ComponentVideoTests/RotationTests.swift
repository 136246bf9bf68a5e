import ComponentHost
import ComponentKit
import ComponentVideoContract
import HostTestSupport
import TestSupport
import Testing

@testable import ComponentVideo

/// The matrices of a movie and its track, and what they do with a picture of 640 x 480.
struct Turn: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let movie, track: [Int32]
    let rotation: Int?
    /// Whether the sides of the picture change places.
    let isSwapped: Bool

    private init(
        _ description: String, _ track: [Int32], movie: [Int32] = upright, _ rotation: Int?, swapped: Bool = false
    ) {
        testDescription = description
        (self.movie, self.track) = (movie, track)
        (self.rotation, isSwapped) = (rotation, swapped)
    }

    private static let one: Int32 = 1 << 16
    private static let last: Int32 = 1 << 30
    private static let upright = [one, 0, 0, 0, one, 0, 0, 0, last]
    private static let right = [0, one, 0, -one, 0, 0, 480 << 16, 0, last]
    private static let over = [-one, 0, 0, 0, -one, 0, 640 << 16, 480 << 16, last]
    private static let left = [0, -one, 0, one, 0, 0, 0, 640 << 16, last]
    private static let mirror = [-one, 0, 0, 0, one, 0, 640 << 16, 0, last]
    private static let flip = [one, 0, 0, 0, -one, 0, 0, 480 << 16, last]
    private static let transpose = [0, one, 0, one, 0, 0, 0, 0, last]
    private static let zero = [Int32](repeating: 0, count: 9)

    /// As phones write them, and as they can be combined.
    static let real = [
        Turn("upright", upright, 0),
        Turn("by 90°", right, 90, swapped: true),
        Turn("by 180°", over, 180),
        Turn("by 270°", left, 270, swapped: true),
        Turn("by 90°, not moved back", [0, one, 0, -one, 0, 0, 0, 0, last], 90, swapped: true),
        Turn("twice as large", [2 * one, 0, 0, 0, 2 * one, 0, 0, 0, last], 0),
        Turn("wider, by 90°", [0, 3 * one / 2, 0, -one, 0, 0, 0, 0, last], 90, swapped: true),
        Turn("mirrored", mirror, nil),
        Turn("upside down in a mirror", flip, nil),
        Turn("mirrored on its side", transpose, nil, swapped: true),
        Turn("the movie by 90°", upright, movie: right, 90, swapped: true),
        Turn("the movie and the track by 90°", right, movie: right, 180),
        Turn("the movie by 270°, the track by 180°", over, movie: left, 90, swapped: true),
        Turn("the movie back by 90°", right, movie: left, 0),
        Turn("mirrored twice", mirror, movie: flip, 180),
        // The order counts: first the track, then the movie.
        Turn("mirrored on its side, then mirrored", transpose, movie: mirror, 90, swapped: true),
        Turn("mirrored, then on its side", mirror, movie: transpose, 270, swapped: true),
    ]

    /// As nobody should write them.
    static let hostile = [
        Turn("nothing", zero, nil),
        Turn("nothing of the movie", right, movie: zero, nil),
        Turn("a line", [one, 0, 0, 0, 0, 0, 0, 0, last], nil),
        Turn("another line", [0, one, 0, 0, 0, 0, 0, 0, last], nil),
        Turn("a line across", [one, one, 0, one, one, 0, 0, 0, last], nil),
        Turn("by 45°", [46341, 46341, 0, -46341, 46341, 0, 0, 0, last], nil),
        Turn("a little", [one, 1, 0, -1, one, 0, 0, 0, last], nil),
        Turn("slanted", [one, 0, 0, one, one, 0, 0, 0, last], nil),
        Turn("in perspective", [one, 0, 1, 0, one, 0, 0, 0, last], nil),
        Turn("in perspective, downwards", [one, 0, 0, 0, one, -1, 0, 0, last], nil),
        Turn("infinitely large", [one, 0, 0, 0, one, 0, 0, 0, 0], nil),
        Turn("seen from behind", [one, 0, 0, 0, one, 0, 0, 0, .min], nil),
        Turn("huge", [Int32](repeating: .max, count: 9), nil),
        Turn("huge and negative", [Int32](repeating: .min, count: 9), nil),
        Turn("huge, by 90°", [0, .max, 0, .min, 0, 0, .min, .max, .max], 90, swapped: true),
        Turn("tiny, by 180°", [-1, 0, 0, 0, -1, 0, 0, 0, 1], 180),
        Turn("huge twice", [.min, 0, 0, 0, .min, 0, 0, 0, last], movie: [.min, 0, 0, 0, .min, 0, 0, 0, last], 0),
    ]
}

@Suite("How films are turned")
struct RotationTests {
    @Test("the matrices of the movie and the track say how a picture is shown", arguments: Turn.real + Turn.hostile)
    func turned(turn: Turn) throws {
        let track = Make.track(matrix: Make.matrix(turn.track))
        let film = try read(Make.movie(matrix: Make.matrix(turn.movie), track))
        #expect(film.tracks[0].rotation == turn.rotation)
        #expect(film.tracks[0].displayWidth == (turn.isSwapped ? 480 : 640))
        #expect(film.tracks[0].displayHeight == (turn.isSwapped ? 640 : 480))
        #expect(film.tracks[0].width == 320 && film.tracks[0].height == 160)
    }

    @Test("any matrix is read")
    func random() throws {
        var random = SplitMix64(seed: 42)
        var outcomes: Set<Int?> = []
        for _ in 0..<2000 {
            let numbers = (0..<9).map { _ in
                // Many zeros, so that some of the matrices turn pictures by quarters.
                Bool.random(using: &random) ? 0 : Int32.random(in: .min ... .max, using: &random)
            }
            let upright = Make.matrix([1, 0, 0, 0, 1, 0, 0, 0, 1])
            let film = try read(Make.movie(matrix: upright, Make.track(matrix: Make.matrix(numbers))))
            outcomes.insert(film.tracks[0].rotation)
        }
        #expect(outcomes == [nil, 0, 90, 180, 270])
    }

    @Test("sound is not turned, and has no size")
    func sound() throws {
        let matrix = Make.matrix([1, 0, 0, 0, 1, 0, 0, 0, 1])
        let track = Make.track(handler: "soun", matrix: matrix, description: Make.description(Make.audioEntry("mp4a")))
        let film = try read(Make.movie(matrix: matrix, track))
        #expect(film.tracks[0].rotation == nil)
        #expect(film.tracks[0].displayWidth == nil && film.tracks[0].displayHeight == nil)
    }

    @Test("a movie header that ends before its matrix is still read")
    func short() throws {
        let header = Make.full("mvhd", Make.zeros(8), Make.be32(1000), Make.be32(2000), Make.zeros(51))
        let film = try read(Make.box("moov", header, Make.track(matrix: Make.matrix([1, 0, 0, 0, 1, 0, 0, 0, 1]))))
        #expect(film.durationSeconds == 2)
        #expect(film.tracks[0].rotation == nil)
    }

    @Test("a probe says how a film is turned", arguments: ComponentDepth.allCases)
    func probe(depth: ComponentDepth) async throws {
        try await depth.withHost(["ComponentVideo"]) { host in
            let video = try host.service(VideoServiceClient.self)
            let turned = try video.probe(path: Samples.path(of: "rotated.mp4")).tracks[0]
            #expect(turned.rotation == 90)
            #expect((turned.width, turned.height) == (96, 64))
            #expect((turned.displayWidth, turned.displayHeight) == (64, 96))
            let upright = try video.probe(path: Samples.path(of: "clip.mp4")).tracks
            #expect(upright.map(\.rotation) == [0, nil])
            #expect(upright.map(\.displayWidth) == [320, nil])
        }
    }
}
