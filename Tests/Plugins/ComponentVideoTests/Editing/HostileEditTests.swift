import NXKit
import TestSupport
import Testing

@testable import ComponentVideo

/// A film that cannot be edited.
struct UneditableFilm: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    /// A part of the reason.
    let reason: String

    init(_ description: String, _ recipe: FilmRecipe, _ reason: String) {
        self.init(description, bytes: recipe.bytes, reason)
    }

    init(_ description: String, bytes: [UInt8], _ reason: String) {
        (testDescription, self.bytes, self.reason) = (description, bytes, reason)
    }

    /// A film with one table replaced.
    private init(_ description: String, _ type: String, _ table: [UInt8], _ reason: String) {
        self.init(description, FilmRecipe(spoil: { UneditableFilm.replaced(type, in: $0, with: table) }), reason)
    }

    static let all = [
        UneditableFilm("an encrypted film", FilmRecipe(entry: Make.videoEntry("encv")), "it is encrypted"),
        UneditableFilm("samples with keys", FilmRecipe(more: Make.full("senc")), "it is encrypted"),
        UneditableFilm("no samples", FilmRecipe(count: 0, sync: nil), "none of its tracks has samples"),
        UneditableFilm("no sizes", "stsz", [], "a box 'stsz' was expected in the box 'stbl'"),
        UneditableFilm("no chunks", "stco", [], "a box 'stco' was expected in the box 'stbl'"),
        UneditableFilm("no rows in chunks", "stsc", [], "a box 'stsc' was expected in the box 'stbl'"),
        UneditableFilm(
            "more sizes than bytes", "stsz", Make.full("stsz", Make.be32(0), Make.be32(.max), Make.be32(1)),
            "declares 4294967295 entries of 4 bytes"),
        UneditableFilm(
            "sizes of 3 bits", "stsz", Make.full("stz2", Make.be32(3), Make.be32(12), Make.zeros(12)),
            "sizes of 4, 8 or 16 bits were expected in the box 'stz2', found 3"),
        UneditableFilm(
            "huge samples", "stsz", Make.full("stsz", Make.be32(.max), Make.be32(12)), "but the file ends at byte"),
        UneditableFilm(
            "more samples than times", "stsz", Make.full("stsz", Make.be32(1), Make.be32(.max)),
            "the box 'stts' has durations of 12 samples, but there are 4294967295"),
        UneditableFilm(
            "fewer times than samples", "stts", Make.times([(11, 24)]),
            "the box 'stts' has durations of 11 samples, but there are 12"),
        UneditableFilm(
            "places behind the file", "stco",
            Make.full("stco", Make.be32(4), Make.be32(24), Make.be32(30), Make.be32(36), Make.be32(1 << 20)),
            "the samples at byte 1048576 are 6 bytes long, but the file ends at byte"),
        UneditableFilm(
            "places beyond 63 bits", "stco",
            Make.full("co64", Make.be32(4), Make.be64(24), Make.be64(30), Make.be64(36), Make.be64(.max)),
            "but the file ends at byte"),
        UneditableFilm(
            "fewer chunks than samples need", "stco", Make.full("stco", Make.be32(3), Make.zeros(12)),
            "its chunks have 9 samples, but there are 12"),
        UneditableFilm(
            "chunks out of order", "stsc",
            Make.full("stsc", Make.be32(2), [2, 3, 1, 1, 3, 1].flatMap { Make.be32($0) }),
            "chunks in order, each with a sample, were expected"),
        UneditableFilm(
            "empty chunks", "stsc", Make.full("stsc", Make.be32(1), [1, 0, 1].flatMap { Make.be32($0) }),
            "chunks in order, each with a sample, were expected"),
        UneditableFilm(
            "an unknown description", "stsc", Make.full("stsc", Make.be32(1), [1, 3, 2].flatMap { Make.be32($0) }),
            "its samples have description 2, but there are 1"),
        UneditableFilm("sync samples out of order", FilmRecipe(sync: [5, 5]), "the sync sample 5 is out of order"),
        UneditableFilm("a sync sample 0", FilmRecipe(sync: [0]), "the sync sample 0 is out of order"),
        UneditableFilm("a sync sample behind the last", FilmRecipe(sync: [13]), "the sync sample 13 is out of order"),
        UneditableFilm(
            "an edit before the media", FilmRecipe(edits: Make.edits([(100, -2)])), "an edit begins at -2"),
        UneditableFilm(
            "slow motion", FilmRecipe(edits: Make.edits([(100, 0)], rate: 1 << 15)),
            "it is shown faster or slower than it was recorded"),
        UneditableFilm(
            "edits longer than any film",
            FilmRecipe(
                edits: Make.box(
                    "edts",
                    Make.full("elst", version: 1, Make.be32(1), Make.be64(.max), Make.be64(0), Make.be32(1 << 16)))),
            "the durations in its edit list are more than 62 bits can hold"),
        UneditableFilm(
            "old sound without sizes",
            FilmRecipe(handler: "soun", sync: nil, size: 1, entry: Make.audioEntry("twos")),
            "the sizes of its sound are not in its tables"),
        UneditableFilm(
            "the same track twice",
            bytes: Make.brand + Make.box("mdat", Make.zeros(100))
                + Make.movie(FilmRecipe().bytes.box("trak"), FilmRecipe().bytes.box("trak")),
            "two of its tracks have the same number"),
        UneditableFilm(
            "a film that is cut off", bytes: FilmRecipe().bytes + [0, 0, 1, 0] + Array("free".utf8),
            "it is cut off; copy the file again"),
        UneditableFilm("a text", bytes: Array("Dear Sir or Madam".utf8), "which is neither MP4 nor QuickTime"),
    ]

    /// Returns boxes of which those of one type are replaced.
    private static func replaced(_ type: String, in boxes: [UInt8], with other: [UInt8]) -> [UInt8] {
        var rest = boxes[...]
        var result: [UInt8] = []
        while !rest.isEmpty {
            let size = Int(rest.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
            result += rest.dropFirst(4).starts(with: Array(type.utf8)) ? other[...] : rest.prefix(size)
            rest = rest.dropFirst(size)
        }
        return result
    }
}

extension [UInt8] {
    /// The first box of a type, anywhere in the bytes.
    func box(_ type: String) -> [UInt8] {
        guard let place = indices.first(where: { self[$0...].starts(with: [UInt8](type.utf8)) }) else { return [] }
        let size = Int(self[place - 4..<place].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        return Array(self[place - 4..<place - 4 + size])
    }
}

@Suite("Films that cannot be edited")
struct HostileEditTests {
    @Test("a film that cannot be edited is refused with the reason, and nothing is left", arguments: UneditableFilm.all)
    func refused(film: UneditableFilm) throws {
        let place = try EditPlace(["a.mp4": film.bytes, "b.mp4": FilmRecipe().bytes])
        for edit in [
            .cut("a.mp4", from: 0, to: 0.3), .join(["b.mp4", "a.mp4"]), .extract("a.mp4", track: 1),
        ] as [FilmEdit] {
            let message = place.refusal(of: edit)
            #expect(message?.hasPrefix("a.mp4: ") == true)
            #expect(message?.contains(film.reason) == true, "\(message ?? "none")")
        }
    }

    @Test("samples are copied once only, so small files make no large films")
    func overlap() throws {
        let size = UInt32(FilmRecipe().bytes.count / 2)
        let recipe = FilmRecipe(
            count: 12, sync: nil,
            spoil: { boxes in
                // Twelve samples, each half as large as the file, all at the same place.
                Make.times([(12, 24)]) + Make.full("stsz", Make.be32(size), Make.be32(12))
                    + Make.full("stsc", Make.be32(1), [1, 1, 1].flatMap { Make.be32($0) })
                    + Make.full("stco", Make.be32(12), (0..<12).flatMap { _ in Make.be32(0) })
            })
        let place = try EditPlace(["a.mp4": recipe.bytes])
        #expect(
            place.refusal(of: .extract("a.mp4", track: 1))
                == "a.mp4: its samples are larger than the file, so they overlap")
        // Three tracks with the same samples, which are most of the file.
        let large = FilmRecipe(sync: nil, size: 1000)
        var tracks: [UInt8] = []
        for number in UInt8(1)...3 {
            var track = large.bytes.box("trak")
            // The number is behind the headers of two boxes, the version, the flags and two times.
            track[8 + 8 + 4 + 8 + 3] = number
            tracks += track
        }
        try place.directory.write(
            Make.brand + Make.box("mdat", large.samples.flatMap { $0 }) + Make.movie(tracks), to: "b.mp4")
        for edit in [.cut("b.mp4", from: 0, to: 0.3), .extract("b.mp4", track: 1)] as [FilmEdit] {
            #expect(
                place.refusal(of: edit)
                    == "b.mp4: the samples of its tracks are larger than the file, so they overlap")
        }
    }

    @Test(
        "fragmented films are not cut, joined or taken apart", arguments: ["fragmented.mp4", "segments.mp4"])
    func fragmented(name: String) throws {
        let place = try EditPlace([name: try Samples.bytes(of: name)])
        for edit in [.cut(name, from: 0, to: 0.5), .join([name, name]), .extract(name, track: 1)] as [FilmEdit] {
            let reason = "it is made of fragments, which cannot be edited; write it again without them"
            #expect(place.refusal(of: edit) == "\(name): \(reason)")
        }
    }

    @Test(
        "names lead to nothing but films of the folder",
        arguments: ["", ".", "..", "../b.mp4", "folder", ".hidden.mp4", "missing.mp4", "link.mp4", "line\nbreak"])
    func names(name: String) throws {
        let place = try EditPlace([".hidden.mp4": FilmRecipe().bytes, "line\nbreak": FilmRecipe().bytes])
        try place.directory.makeDirectory("folder")
        try place.directory.link("link.mp4", to: Samples.path(of: "clip.mp4"))
        for edit in [.cut(name, from: 0, to: 1), .rotate(name, degrees: 90), .extract(name, track: 1)] as [FilmEdit] {
            #expect(place.refusal(of: edit)?.hasSuffix(": the library has no such film") == true)
        }
    }

    /// Flips bits of descriptions; each film is edited, or refused with a reason.
    @Test("with flipped bits, a film is edited or refused", arguments: ["clip.mp4", "clip.mov", "opus.mp4"])
    func flipped(name: String) throws {
        let bytes = try Samples.bytes(of: name)
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("moov".utf8)) }) - 4
        let place = try EditPlace()
        var random = SplitMix64(seed: 7)
        var outcomes: Set<Bool> = []
        for _ in 0..<100 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: start..<bytes.count, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
            }
            try place.directory.write(changed, to: name)
            for edit in [
                .cut(name, from: 0.2, to: 0.7), .join([name, name]), .rotate(name, degrees: 90),
            ] as [FilmEdit] {
                do {
                    let made = try edit.make(in: place.folder, control: EditControl())
                    #expect(try place.bytes(of: made).count < 4 * bytes.count)
                    try NewFilm.remove(made, in: place.folder)
                    outcomes.insert(true)
                } catch {
                    outcomes.insert(false)
                }
                #expect(try place.names() == [name])
            }
        }
        #expect(outcomes == [true, false])
    }

    @Test("an edit that is cancelled leaves nothing")
    func cancelled() throws {
        // Several pieces, so that there is something left to do after the first report.
        let recipe = FilmRecipe(count: 30, sync: nil, size: 300_000)
        let place = try EditPlace(["a.mp4": recipe.bytes])
        for edit in [
            .cut("a.mp4", from: 0, to: 1), .join(["a.mp4", "a.mp4"]), .rotate("a.mp4", degrees: 90),
            .extract("a.mp4", track: 1),
        ] as [FilmEdit] {
            let canceller = Canceller()
            let control = EditControl { canceller.report($0) }
            canceller.control = control
            #expect(throws: CancellationError.self) { try place.make(edit, control: control) }
            // They would keep each other.
            canceller.control = nil
            #expect(canceller.reports.count == 1)
            #expect(try place.names() == ["a.mp4"])
        }
        // What an edit has left that was cut short is replaced.
        try place.directory.write("half a film", to: ".edit.part")
        _ = try place.make(.cut("a.mp4", from: 0, to: 1))
        #expect(try place.names() == ["a cut.mp4", "a.mp4"])
    }

    @Test("an edit that has been replaced by another one names and deletes nothing but its own file")
    func replaced() throws {
        let place = try EditPlace()
        var first: NewFilm? = try NewFilm(in: place.folder, size: 1, control: EditControl())
        try first?.write([1])
        let second = try NewFilm(in: place.folder, size: 1, control: EditControl())
        #expect(throws: FileError.self) { try first?.finish { _ in "a.mp4" } }
        first = nil
        #expect(try place.names() == [".edit.part"])
        try second.write([2])
        let name = try second.finish { _ in "b.mp4" }
        #expect(try place.bytes(of: name) == [2])
    }
}

/// Cancels an edit when it first reports something; on one thread.
private final class Canceller: @unchecked Sendable {
    // Only the thread of the test has it: the edits are made there.
    var control: EditControl?
    var reports: [Double] = []

    func report(_ done: Double) {
        reports.append(done)
        control?.cancel()
    }
}
