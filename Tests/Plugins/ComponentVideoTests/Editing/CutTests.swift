import Foundation
import TestSupport
import Testing

@testable import ComponentVideo

extension Sample {
    /// Those whose samples can be put into another film.
    static let editable = all.filter { !$0.isFragmented && $0.name != "encrypted.mp4" }
}

/// A part of a film, in shares of its duration.
struct FilmPart: Sendable, CustomTestStringConvertible {
    let from, to: Double

    var testDescription: String { "\(from) to \(to)" }

    static let all = [
        FilmPart(from: 0, to: 1), FilmPart(from: 0.13, to: 0.57), FilmPart(from: 0.5, to: 1),
        FilmPart(from: 0.9, to: 2), FilmPart(from: 0.31, to: 0.32),
    ]
}

@Suite("Parts of films")
struct CutTests {
    /// Those whose samples last longer than what times are rounded to.
    static let rounded = Sample.editable.filter { $0.name != "hires.mov" }

    @Test("a part shows what the film shows then, from a sync sample on", arguments: rounded, FilmPart.all)
    func samples(sample: Sample, part: FilmPart) throws {
        let bytes = try sample.bytes()
        let place = try EditPlace([sample.name: bytes])
        let whole = try FilmContents(path: sample.path)
        let (from, to) = (part.from * sample.seconds, part.to * sample.seconds)
        let made = try FilmContents(path: try place.make(.cut(sample.name, from: from, to: to)))
        var index = 0
        for (number, track) in whole.film.tracks.enumerated() {
            let expected = whole.shown[number].part(from: from, to: min(to, sample.seconds))
            guard index < made.film.tracks.count, made.film.tracks[index].id == track.id else {
                #expect(expected == [], "the track \(track.id) is missing")
                continue
            }
            #expect(made.shown[index].isSame(as: expected), "track \(track.id)")
            let (copies, samples) = (made.tracks[index], whole.tracks[number])
            #expect(copies.first?.isSync == true)
            // The samples are a row of those of the film.
            let start = samples.indices.first { samples[$0...].starts(with: copies) { $0.isCopy(of: $1) } }
            #expect(start != nil)
            if part.from == 0, part.to == 1 { #expect(start == 0 && copies.count == samples.count) }
            index += 1
        }
        #expect(index == made.film.tracks.count)
        let seconds = Double(made.film.duration) / Double(made.film.timescale)
        #expect(abs(seconds - (min(to, sample.seconds) - from)) < 0.0001)
        #expect(try FilmContents(path: place.directory.path(of: sample.name)) == whole)
    }

    @Test("a track of its own has the same samples, shown at the same times", arguments: Sample.editable)
    func extracted(sample: Sample) throws {
        let place = try EditPlace([sample.name: try sample.bytes()])
        let whole = try FilmContents(path: sample.path)
        for (index, track) in whole.film.tracks.enumerated() {
            let path = try place.make(.extract(sample.name, track: track.id))
            let made = try FilmContents(path: path)
            #expect(made.tracks == [whole.tracks[index]])
            #expect(made.shown == [whole.shown[index]])
            #expect(made.film.tracks[0].table.groups == track.table.groups)
            // Players show it: clip.mov has a track that they do not.
            #expect(made.film.tracks[0].header.isEnabled)
            // What describes the track is the same, but for the duration.
            let lines = try Film.read(path: path).tracks.map(\.line)
            #expect(lines == [sample.tracks[index]])
        }
    }

    /// How samples can be described, and the samples of the part from 0.19 to 0.33 seconds.
    static let recipes: [(FilmRecipe, [Int])] = [
        (FilmRecipe(), [4, 5, 6, 7, 8]), (FilmRecipe(size: 2), [4, 5, 6, 7, 8]),
        (FilmRecipe(sizeBits: 16), [4, 5, 6, 7, 8]), (FilmRecipe(sizeBits: 8), [4, 5, 6, 7, 8]),
        (FilmRecipe(count: 13, sizeBits: 4), [4, 5, 6, 7, 8]), (FilmRecipe(isLarge: true), [4, 5, 6, 7, 8]),
        (FilmRecipe(sync: nil), [4, 5, 6, 7, 8]), (FilmRecipe(sync: []), Array(0...8)),
        (FilmRecipe(handler: "soun", sync: nil, entry: Make.audioEntry("mp4a")), [3, 4, 5, 6, 7, 8]),
        (FilmRecipe(handler: "soun", sync: nil, size: 4, entry: Make.audioEntry("sowt")), [4, 5, 6, 7, 8]),
        // Shown in another order than decoded.
        (
            FilmRecipe(offsets: (0..<4).flatMap { _ in [(1, 24), (1, 48), (1, 0)] as [(UInt32, Int32)] }),
            Array(0...8)
        ),
        // Shown before they are decoded.
        (FilmRecipe(offsets: [(12, -24)]), [4, 5, 6, 7, 8, 9]),
        // First nothing, then the end before the beginning.
        (FilmRecipe(edits: Make.edits([(100, -1), (200, 120), (100, 24)])), Array(0...9)),
        // A picture that stands still.
        (FilmRecipe(edits: Make.edits([(400, 50)], rate: 0)), [0, 1, 2]),
        // The duration is that of the media.
        (FilmRecipe(edits: Make.edits([(0, 0)])), [4, 5, 6, 7, 8]),
        (FilmRecipe(edits: Make.edits([(0, -1), (0, 24)])), Array(4...9)),
    ]

    @Test("samples are found however they are described", arguments: recipes.indices)
    func described(index: Int) throws {
        let (recipe, expected) = CutTests.recipes[index]
        let place = try EditPlace(["a.mp4": recipe.bytes])
        let whole = try FilmContents(path: place.directory.path(of: "a.mp4"))
        #expect(whole.tracks[0].map(\.bytes) == recipe.samples)
        let made = try FilmContents(path: try place.make(.cut("a.mp4", from: 0.19, to: 0.33)))
        #expect(made.tracks[0].map(\.bytes) == expected.map { recipe.samples[$0] })
        #expect(made.shown[0].isSame(as: whole.shown[0].part(from: 0.19, to: 0.33)))
    }

    @Test("metadata is kept, unless it leads to places in the file")
    func metadata() throws {
        let recipe = FilmRecipe()
        let handler = Make.full("hdlr", Make.zeros(4), Array("mdta".utf8), Make.zeros(13))
        let text = Make.box("ilst", Array("a kilocycle".utf8))
        let places = Make.full("iloc", Make.zeros(4))
        // With a version, and without one as in QuickTime files.
        let boxes: [(bytes: [UInt8], isKept: Bool)] = [
            (Make.box("udta"), true),
            (Make.full("meta", handler, text), true), (Make.box("meta", handler, text), true),
            (Make.full("meta", handler, places), false), (Make.box("meta", handler, places), false),
            (Make.box("udta", text), true),
        ]
        for (bytes, isKept) in boxes {
            let media = Make.box("mdat", recipe.samples.flatMap { $0 })
            let film = Make.brand + media + Make.movie(recipe.bytes.box("trak"), bytes)
            let place = try EditPlace(["a.mp4": film])
            let path = try place.make(.cut("a.mp4", from: 0.1, to: 0.2))
            #expect(try FilmContents(path: path).film.movieBoxes == (isKept ? [bytes] : []))
        }
    }

    @Test("a part of a film has no list of the film's chapters")
    func chapters() throws {
        let recipe = FilmRecipe()
        let (name, end) = (Make.box("name", Array("chpl".utf8)), Make.zeros(4))
        let chapters = Array("a list".utf8)
        let data = Make.box("udta", name, Make.box("chpl", chapters), end)
        let media = Make.box("mdat", recipe.samples.flatMap { $0 })
        let film = Make.brand + media + Make.movie(recipe.bytes.box("trak"), data)
        let place = try EditPlace(["a.mp4": film])
        let part = try FilmContents(path: try place.make(.cut("a.mp4", from: 0.1, to: 0.2)))
        #expect(part.film.movieBoxes == [Make.box("udta", name, Make.box("free", chapters), end)])
        let track = try FilmContents(path: try place.make(.extract("a.mp4", track: 1)))
        #expect(track.film.movieBoxes == [data])
    }

    @Test("a part of a film of 5 GB is cut with its places beyond 4 GB")
    func large() throws {
        let recipe = FilmRecipe(isLarge: true)
        let bytes = recipe.bytes
        // The media moves behind a hole, and the description behind the media.
        let start = Make.brand.count
        let media = bytes[start..<start + 8 + recipe.samples.reduce(0) { $0 + $1.count }]
        let hole = 5 << 30
        var movie = Array(bytes[(start + media.count)...])
        let table = try #require(movie.indices.first { movie[$0...].starts(with: Array("co64".utf8)) }) + 12
        for chunk in 0..<recipe.count / 3 {
            let place = table + 8 * chunk
            let offset = movie[place..<place + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            movie.replaceSubrange(place..<place + 8, with: Make.be64(offset + UInt64(hole)))
        }
        let head = Make.brand + Make.be32(1) + Array("free".utf8) + Make.be64(UInt64(hole))
        let place = try EditPlace(["large.mp4": head])
        let file = try FileHandle(forUpdating: URL(filePath: place.directory.path(of: "large.mp4")))
        try file.seek(toOffset: UInt64(start + hole))
        try file.write(contentsOf: Data(Array(media) + movie))
        try file.close()
        let contents = try FilmContents(path: try place.make(.cut("large.mp4", from: 0.19, to: 0.33)))
        #expect(contents.tracks[0].map(\.bytes) == Array(recipe.samples[4...8]))
    }

    @Test(
        "times that leave nothing are refused",
        arguments: [
            (-1, 1, "from: expected a time of at least 0 seconds, found -1.0"),
            (.nan, 1, "from: expected a time of at least 0 seconds, found nan"),
            (1, 1, "to: expected a time after 1.0 seconds, found 1.0"),
            (0, .infinity, "to: expected a time after 0.0 seconds, found inf"),
            (2, 3, "clip.mp4: nothing is left: it is 2.0 seconds long"),
            (1e300, 1e301, "clip.mp4: nothing is left: it is 2.0 seconds long"),
            (1, 1.000001, "clip.mp4: nothing is left: it is 2.0 seconds long"),
        ] as [(Double, Double, String)])
    func nothing(from: Double, to: Double, message: String) throws {
        let place = try EditPlace(["clip.mp4": try Samples.bytes(of: "clip.mp4")])
        #expect(place.refusal(of: .cut("clip.mp4", from: from, to: to)) == message)
    }
}
