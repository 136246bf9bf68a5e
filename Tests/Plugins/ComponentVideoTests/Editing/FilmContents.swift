import ComponentKit
import Foundation
import NXKit
import TestSupport
import Testing

@testable import ComponentVideo

/// All samples of a film, as they are read from its file.
struct FilmContents: Equatable {
    /// A sample.
    struct Sample: Hashable {
        var bytes: [UInt8]
        var isSync: Bool
        /// When it is shown, and for how long, in the media's timescale.
        var shown: Int64
        var length: Int64
    }

    /// Samples as they are shown.
    struct Shown: Hashable {
        var bytes: [UInt8]
        /// From when on, and until when, in seconds.
        var start, end: Double
    }

    /// The samples of each track, in the order in which they are decoded.
    let tracks: [[Sample]]
    /// The samples of each track, in the order in which they are shown.
    let shown: [[Shown]]
    let film: EditableFilm

    /// Reads the file.
    init(path: String) throws {
        let film = try EditableFilm.read(BoxFile(try FileBytes(path: path), limits: .standard))
        self.film = film
        var (tracks, shown): ([[Sample]], [[Shown]]) = ([], [])
        for track in film.tracks {
            let samples = try FilmContents.samples(of: track.table, film.boxes)
            tracks.append(samples)
            shown.append(FilmContents.shown(samples, track, of: film))
        }
        (self.tracks, self.shown) = (tracks, shown)
    }

    static func == (left: FilmContents, right: FilmContents) -> Bool { left.tracks == right.tracks }

    private static func samples(of table: SampleTable, _ boxes: BoxFile) throws -> [Sample] {
        var bytes: [[UInt8]] = []
        try table.forEachChunk(of: 0..<table.count) { chunk throws(FileError) in
            var offset = chunk.offset
            for sample in chunk.samples {
                let size = table.sizes.total(sample..<sample + 1)
                bytes.append(try boxes.file.read(at: offset, count: Int(size)))
                offset += size
            }
        }
        var samples: [Sample] = []
        let syncSamples = table.syncSamples.map(Set.init)
        table.forEachTimedRun { run in
            for sample in run.samples {
                samples.append(
                    Sample(
                        bytes: bytes[Int(sample)], isSync: syncSamples?.contains(UInt32(sample)) ?? true,
                        shown: run.shown(sample), length: Int64(run.step)))
            }
        }
        return samples
    }

    /// The samples that the edit list shows, of which the first may have begun before.
    private static func shown(_ samples: [Sample], _ track: EditableFilm.Track, of film: EditableFilm) -> [Shown] {
        var shown: [Shown] = []
        var start = 0.0
        let sorted = samples.sorted { $0.shown < $1.shown }
        for segment in track.edits.segments {
            let seconds = Double(segment.duration) / Double(film.timescale)
            if segment.isStill, let mediaTime = segment.mediaTime.map(Int64.init) {
                if let sample = sorted.last(where: { $0.shown <= mediaTime }) {
                    shown.append(Shown(bytes: sample.bytes, start: start, end: start + seconds))
                }
            } else if let mediaTime = segment.mediaTime.map(Int64.init) {
                let end = mediaTime + Int64((seconds * Double(track.timescale)).rounded())
                for (index, sample) in sorted.enumerated() {
                    let next = index + 1 < sorted.count ? sorted[index + 1].shown : sample.shown + sample.length
                    guard next > mediaTime, sample.shown < end else { continue }
                    let times = [max(sample.shown, mediaTime), min(next, end)].map {
                        start + Double($0 - mediaTime) / Double(track.timescale)
                    }
                    shown.append(Shown(bytes: sample.bytes, start: times[0], end: times[1]))
                }
            }
            start += seconds
        }
        return shown
    }
}

extension FilmContents.Sample {
    /// Whether another sample has the same content.
    func isCopy(of other: FilmContents.Sample) -> Bool { bytes == other.bytes && isSync == other.isSync }
}

extension [FilmContents.Shown] {
    /// What is shown between two times, counted from the first one.
    func part(from: Double, to: Double) -> [FilmContents.Shown] {
        filter { $0.end > from + 1e-6 && $0.start < to - 1e-6 }.map { shown in
            FilmContents.Shown(
                bytes: shown.bytes, start: Swift.max(shown.start, from) - from, end: Swift.min(shown.end, to) - from)
        }
    }

    /// Whether the same is shown, at times that differ by less than a thousandth of a second, as rounding does.
    func isSame(as other: [FilmContents.Shown]) -> Bool {
        count == other.count
            && zip(self, other).allSatisfy {
                $0.bytes == $1.bytes && abs($0.start - $1.start) < 0.001 && abs($0.end - $1.end) < 0.001
            }
    }
}

/// A folder in which films are edited.
final class EditPlace {
    let directory: TemporaryDirectory
    var folder: String { directory.path }

    init(_ films: [String: [UInt8]] = [:]) throws {
        directory = try TemporaryDirectory()
        for (name, bytes) in films { try directory.write(bytes, to: name) }
    }

    /// Makes a film, and returns its path.
    func make(_ edit: FilmEdit, control: EditControl = EditControl()) throws -> String {
        try edit.check()
        return directory.path(of: try edit.make(in: folder, control: control))
    }

    /// Why an edit is refused; nil, and a failure of the test, if it is not. Nothing is left of it.
    func refusal(of edit: FilmEdit) -> String? {
        do {
            let before = try names()
            do {
                Issue.record("\(edit) made \(try make(edit))")
                return nil
            } catch let error as LinkError {
                #expect(try names() == before)
                #expect(!error.message.contains(folder))
                return error.message
            }
        } catch {
            Issue.record(error)
            return nil
        }
    }

    /// The names of all files in the folder.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    /// The content of a file.
    func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: directory.path(of: name))))
    }
}

/// What a made film of 25 frames/s with one track is like. Its samples are 1, 2, 3, 1, 2, 3 bytes long and so on, and
/// each has bytes of its own.
struct FilmRecipe: Sendable {
    var handler = "vide"
    var count = 12
    /// The numbers of the sync samples; nil if all are.
    var sync: [UInt32]? = [1, 5, 9]
    /// How much later than decoded the samples are shown: for so many samples, so much.
    var offsets: [(count: UInt32, offset: Int32)] = []
    /// The box `edts`.
    var edits: [UInt8] = []
    /// The size of a sample that all have; nil if each has its own.
    var size: UInt32?
    /// How many bits a size takes: 4, 8, 16 or 32.
    var sizeBits = 32
    /// Whether the offsets of chunks take 64 bits.
    var isLarge = false
    /// Added to each byte of a sample.
    var tone: UInt8 = 0
    var entry = Make.videoEntry("avc1")
    var matrix = Make.matrix([1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30])
    /// The bytes between the samples and the description.
    var gap: Int = 0
    /// Other boxes in `stbl`.
    var more: [UInt8] = []
    /// Changes the boxes in `stbl` before the film is put together.
    var spoil: @Sendable ([UInt8]) -> [UInt8] = { $0 }

    var sizes: [UInt32] {
        var sizes: [UInt32] = []
        for index in 0..<count { sizes.append(size ?? UInt32(1 + index % 3)) }
        return sizes
    }

    /// The samples.
    var samples: [[UInt8]] {
        sizes.enumerated().map { index, size in [UInt8](repeating: tone &+ UInt8(index), count: Int(size)) }
    }

    /// The file: `ftyp`, `mdat` with chunks of three samples, and `moov`.
    var bytes: [UInt8] {
        let media = Make.box("mdat", samples.flatMap { $0 })
        let start = Make.brand.count + 8
        let chunks = stride(from: 0, to: count, by: 3).map { first in
            UInt64(start) + sizes[..<first].reduce(0) { $0 + UInt64($1) }
        }
        let offsets = Make.full(
            isLarge ? "co64" : "stco", Make.be32(UInt32(chunks.count)),
            chunks.flatMap { isLarge ? Make.be64($0) : Make.be32(UInt32($0)) })
        // The last chunk may be shorter.
        var runs = [Make.be32(1), Make.be32(3), Make.be32(1)]
        if count % 3 > 0 { runs += [Make.be32(UInt32(chunks.count)), Make.be32(UInt32(count % 3)), Make.be32(1)] }
        let places = Make.full("stsc", Make.be32(UInt32(runs.count / 3)), runs.flatMap { $0 })
        let table = Make.times([(UInt32(count), 24)]) + sizeBox + offsets + places + syncBox + offsetBox + more
        let track = Make.track(
            handler: handler, mediaDuration: UInt32(count * 24), matrix: matrix,
            description: Make.description(entry), times: spoil(table), edits: edits)
        let movie = Make.movie(
            duration: UInt32(count * 40), matrix: Make.matrix([1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30]), track)
        return Make.brand + media + Make.zeros(gap) + movie
    }

    private var sizeBox: [UInt8] {
        let total = Make.be32(UInt32(count))
        if let size { return Make.full("stsz", Make.be32(size), total) }
        switch sizeBits {
        case 32: return Make.full("stsz", Make.be32(0), total, sizes.flatMap(Make.be32))
        case 16: return Make.full("stz2", Make.be32(16), total, sizes.flatMap { Make.be16(UInt16($0)) })
        case 8: return Make.full("stz2", Make.be32(8), total, sizes.map { UInt8($0) })
        default:
            let halves = sizes + [0]
            let pairs = stride(from: 0, to: count, by: 2).map { UInt8(halves[$0] << 4 | halves[$0 + 1]) }
            return Make.full("stz2", Make.be32(4), total, pairs)
        }
    }

    private var syncBox: [UInt8] {
        sync.map { Make.full("stss", Make.be32(UInt32($0.count)), $0.flatMap(Make.be32)) } ?? []
    }

    private var offsetBox: [UInt8] {
        guard !offsets.isEmpty else { return [] }
        let entries = offsets.flatMap { Make.be32($0.count) + Make.be32(UInt32(bitPattern: $0.offset)) }
        return Make.full("ctts", version: 1, Make.be32(UInt32(offsets.count)), entries)
    }
}

extension Make {
    /// `edts`: a duration in thousandths, and where the media begins in units of 600; -1 for nothing.
    static func edits(
        _ segments: [(duration: UInt32, start: Int32)], rate: UInt32 = 1 << 16
    ) -> [UInt8] {
        let entries = segments.flatMap { be32($0.duration) + be32(UInt32(bitPattern: $0.start)) + be32(rate) }
        return box("edts", full("elst", be32(UInt32(segments.count)), entries))
    }
}
