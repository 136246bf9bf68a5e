import NXKit
import TestSupport
import Testing

@testable import ComponentVideo

@Suite("Joined and rotated films")
struct JoinTests {
    @Test("films that are joined show one after the other", arguments: Sample.editable)
    func joined(sample: Sample) throws {
        let place = try EditPlace([sample.name: try sample.bytes()])
        let whole = try FilmContents(path: sample.path)
        let made = try FilmContents(path: try place.make(.join([sample.name, sample.name, sample.name])))
        for index in whole.tracks.indices {
            let samples = whole.tracks[index]
            #expect(made.tracks[index].map(\.bytes) == (samples + samples + samples).map(\.bytes))
            #expect(made.tracks[index].map(\.isSync) == (samples + samples + samples).map(\.isSync))
            let shown = (0..<3).flatMap { number in
                whole.shown[index].map { shown in
                    let start = Double(number) * sample.seconds
                    return FilmContents.Shown(bytes: shown.bytes, start: start + shown.start, end: start + shown.end)
                }
            }
            #expect(made.shown[index].isSame(as: shown))
        }
    }

    @Test("parts of a film that are joined show the film again", arguments: ["clip.mp4", "ntsc.mp4", "opus.mp4"])
    func parts(name: String) throws {
        let place = try EditPlace([name: try Samples.bytes(of: name)])
        let whole = try FilmContents(path: Samples.path(of: name))
        _ = try place.make(.cut(name, from: 0, to: 0.4))
        _ = try place.make(.cut(name, from: 0.4, to: nil))
        let names = [1, 2].map { FilmEdit.cut(name, from: 0, to: nil).newName(attempt: $0) }
        let made = try FilmContents(path: try place.make(.join(names)))
        for index in whole.shown.indices {
            // A frame may be shown up to the cut, and from the cut on.
            var shown: [FilmContents.Shown] = []
            for next in made.shown[index] {
                if let last = shown.last, last.bytes == next.bytes, abs(last.end - 0.4) < 0.001 {
                    shown[shown.count - 1].end = next.end
                } else {
                    shown.append(next)
                }
            }
            #expect(shown.isSame(as: whole.shown[index]))
        }
    }

    /// Films that do not fit to a film of the first recipe, and why.
    static let others: [(FilmRecipe, String)] = [
        (
            FilmRecipe(handler: "soun", sync: nil, entry: Make.audioEntry("mp4a")),
            "its track 1 is of the kind 'soun', but 'vide' was expected"
        ),
        (
            FilmRecipe(entry: Make.videoEntry("avc1", width: 322)),
            "its track 1 is encoded differently from the first film's track 1"
        ),
        (
            FilmRecipe(matrix: Make.matrix([0, 1 << 16, 0, -1 << 16, 0, 0, 480 << 16, 0, 1 << 30])),
            "the picture of its track 1 is turned or scaled differently"
        ),
    ]

    @Test("films that are made differently are not joined", arguments: others.indices)
    func different(index: Int) throws {
        let (other, reason) = JoinTests.others[index]
        let place = try EditPlace(["a.mp4": FilmRecipe().bytes, "b.mp4": other.bytes])
        let message = place.refusal(of: .join(["a.mp4", "b.mp4"]))
        #expect(message == "b.mp4: \(reason); films are joined only if they are made alike")
        let clip = try Samples.bytes(of: "clip.mp4")
        try place.directory.write(clip, to: "clip.mp4")
        #expect(
            place.refusal(of: .join(["a.mp4", "clip.mp4"]))
                == "clip.mp4: it has 2 tracks, but the first film has 1; films are joined only if they are made alike")
    }

    @Test("samples of the same size, and samples of sizes of their own, are joined")
    func sizes() throws {
        let recipes = [FilmRecipe(size: 2), FilmRecipe(tone: 50), FilmRecipe(count: 3, sync: nil, tone: 100)]
        let place = try EditPlace(["a.mp4": recipes[0].bytes, "b.mp4": recipes[1].bytes, "c.mp4": recipes[2].bytes])
        let made = try FilmContents(path: try place.make(.join(["a.mp4", "b.mp4", "c.mp4"])))
        #expect(made.tracks[0].map(\.bytes) == recipes.flatMap(\.samples))
        #expect(made.tracks[0].indices.filter { made.tracks[0][$0].isSync } == [0, 4, 8, 12, 16, 20, 24, 25, 26])
    }

    /// Films that show something before their first or after their last frame.
    static let overhangs = [
        // Its frames are shown later than they are decoded, and it has no edit list.
        FilmRecipe(offsets: [(12, 24)]),
        // Its edit is longer than the media.
        FilmRecipe(edits: Make.edits([(600, 0)])),
    ]

    @Test("films that are joined show no frames of each other", arguments: overhangs.indices)
    func neighbours(index: Int) throws {
        let recipe = JoinTests.overhangs[index]
        let place = try EditPlace(["a.mp4": recipe.bytes])
        let made = try FilmContents(path: try place.make(.join(["a.mp4", "a.mp4"])))
        #expect(made.shown[0].map(\.bytes) == recipe.samples + recipe.samples)
    }

    @Test("films with long edit lists are joined")
    func longEditLists() throws {
        // The first and the second frame in turn. Work that grows with the square of the length would not end.
        let edits = (0..<100_000).map { (duration: UInt32(1), start: Int32($0 % 2 * 24)) }
        let place = try EditPlace(["a.mp4": FilmRecipe(edits: Make.edits(edits)).bytes])
        let path = try place.make(.join(["a.mp4", "a.mp4"]))
        let film = try EditableFilm.read(BoxFile(try FileBytes(path: path), limits: .standard))
        #expect(film.tracks[0].edits.segments.count == 200_000)
        #expect(film.duration == 200_000)
    }

    @Test("the numbers of films and degrees are checked")
    func numbers() throws {
        let place = try EditPlace(["a.mp4": FilmRecipe().bytes])
        #expect(place.refusal(of: .join(["a.mp4"])) == "names: expected 2 to 100 films, found 1")
        let many = Array(repeating: "a.mp4", count: 101)
        #expect(place.refusal(of: .join(many)) == "names: expected 2 to 100 films, found 101")
        #expect(place.refusal(of: .rotate("a.mp4", degrees: 45)) == "degrees: expected a multiple of 90, found 45")
        #expect(place.refusal(of: .extract("a.mp4", track: 2)) == "a.mp4: it has no track 2 with samples")
    }

    @Test("the tables of all films that are joined have one limit")
    func limited() throws {
        let place = try EditPlace(["a.mp4": FilmRecipe(sync: nil, size: 1).bytes])
        let limits = VideoLimits(boxes: 1000, tableEntries: 20, tracks: 1)
        func film() throws -> EditableFilm {
            try EditableFilm.read(BoxFile(try FileBytes(path: place.directory.path(of: "a.mp4")), limits: limits))
        }
        var plan = try FilmPlan(try film())
        // Each has four chunks, and all together have one duration and one edit.
        for _ in 2...4 { try plan.append(try film()) }
        let error = #expect(throws: FileError.self) { try plan.append(try film()) }
        #expect(error?.code == .limitExceeded)
    }

    @Test(
        "a film that is rotated differs by its matrix only",
        arguments: ["clip.mp4", "rotated.mp4", "clip.mov", "fragmented.mp4", "encrypted.mp4", "segments.mp4"])
    func rotated(name: String) throws {
        let bytes = try Samples.bytes(of: name)
        let place = try EditPlace([name: bytes])
        let original = try Film.read(path: Samples.path(of: name)).tracks[0]
        let first = try #require(original.rotation)
        var last = name
        for (degrees, sum) in [(90, 90), (180, 270), (-90, 180), (540, 0)] {
            let path = try place.make(.rotate(last, degrees: degrees))
            let track = try Film.read(path: path).tracks[0]
            #expect(track.rotation == (first + sum) % 360)
            let sides = [original.displayWidth, original.displayHeight]
            #expect([track.displayWidth, track.displayHeight] == (sum % 180 == 0 ? sides : sides.reversed()))
            last = FilmEdit.rotate(last, degrees: degrees).newName(attempt: 1)
            let made = try place.bytes(of: last)
            #expect(made.count == bytes.count)
            #expect(made.indices.count { made[$0] != bytes[$0] } <= 36)
        }
        // Turned once around.
        #expect(try place.bytes(of: last) == bytes)
    }

    @Test("a film in a mirror is rotated, and one that is distorted or damaged is not")
    func mirrored() throws {
        let one: Int32 = 1 << 16
        let mirror = FilmRecipe(matrix: Make.matrix([-one, 0, 0, 0, one, 0, 640 << 16, 0, 1 << 30]))
        let slanted = FilmRecipe(matrix: Make.matrix([one, 0, 0, one, one, 0, 0, 0, 1 << 30]))
        let place = try EditPlace([
            "mirror.mp4": mirror.bytes, "slanted.mp4": slanted.bytes,
            "damaged.mp4": FilmRecipe(spoil: { _ in [] }).bytes,
            "sound.mp4": FilmRecipe(handler: "soun", sync: nil, entry: Make.audioEntry("mp4a")).bytes,
        ])
        let path = try place.make(.rotate("mirror.mp4", degrees: 90))
        let header = try FilmContents(path: path).film.tracks[0].header
        // (x, y) was shown at (640 - x, y), and then at (480 - y, 640 - x).
        let expected = Make.matrix([0, -one, 0, -one, 0, 0, 480 << 16, 640 << 16, 1 << 30])
        #expect(Array(header.geometry.prefix(36)) == expected)
        let message = place.refusal(of: .rotate("slanted.mp4", degrees: 90))
        #expect(message?.contains("its picture is distorted, or turned by other angles than quarters") == true)
        #expect(place.refusal(of: .rotate("sound.mp4", degrees: 90)) == "sound.mp4: it has no pictures to rotate")
        let damage = place.refusal(of: .rotate("damaged.mp4", degrees: 90))
        #expect(damage?.hasPrefix("damaged.mp4: a box 'stts' was expected in the box 'stbl'") == true)
    }
}
