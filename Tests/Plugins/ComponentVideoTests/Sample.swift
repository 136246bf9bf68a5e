import ComponentVideoContract
import TestSupport
import Testing

@testable import ComponentVideo

/// A sample file, and its properties according to `ffprobe`; see Samples/README.md. The codec strings are those that
/// ffmpeg writes for a DASH manifest. A rotation is clockwise here, and counterclockwise there.
struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let brand: String
    let seconds: Double
    let tracks: [String]

    var testDescription: String { name }

    /// Whether it continues in movie fragments.
    var isFragmented: Bool { name == "fragmented.mp4" || name == "segments.mp4" }

    /// Whether the movie's description comes before the media.
    var isDescribedFirst: Bool { isFragmented || name == "faststart.mp4" }

    var path: String { Samples.path(of: name) }

    func bytes() throws -> [UInt8] { try Samples.bytes(of: name) }

    /// The end offsets of the top-level boxes; no sample has a box with a 64-bit size.
    func boundaries(_ bytes: [UInt8]) -> Set<Int> {
        var ends: Set<Int> = []
        var position = 0
        while position + 8 <= bytes.count {
            position += bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            ends.insert(position)
        }
        return ends
    }

    private init(_ name: String, _ brand: String, _ seconds: Double, _ tracks: String...) {
        self.name = name
        self.brand = brand
        self.seconds = seconds
        self.tracks = tracks
    }

    static let all = [
        Sample(
            "clip.mp4", "isom", 2,
            "1 video vide avc1 avc1.640015 320x180 25/1 frames/s 50 samples 2.0 s",
            "2 audio soun mp4a mp4a.40.2 16000 Hz 1 channels 33 samples 2.0 s deu"),
        Sample(
            "faststart.mp4", "isom", 1,
            "1 video vide avc1 avc1.64000A 96x64 10/1 frames/s 10 samples 1.0 s",
            "2 audio soun mp4a mp4a.40.2 8000 Hz 1 channels 9 samples 1.0 s"),
        Sample(
            "fragmented.mp4", "iso5", 1.2,
            "1 video vide avc1 avc1.64000A 96x64 10/1 frames/s 10 samples 1.0 s",
            "2 audio soun mp4a mp4a.40.2 8000 Hz 1 channels 9 samples 1.2 s"),
        Sample(
            "segments.mp4", "iso5", 1,
            "1 video vide avc1 avc1.64000A 96x64 10/1 frames/s 10 samples 1.0 s"),
        Sample(
            "encrypted.mp4", "isom", 1,
            "1 video vide avc1 avc1.64000A encrypted 96x64 10/1 frames/s 10 samples 1.0 s"),
        Sample(
            "rotated.mp4", "isom", 0.5,
            "1 video vide avc1 avc1.64000A 96x64 rotated by 90 to 64x96 10/1 frames/s 5 samples 0.5 s"),
        Sample(
            "ntsc.mp4", "isom", 1.001,
            "1 video vide avc1 avc1.64000C 160x120 30000/1001 frames/s 30 samples 1.001 s"),
        Sample(
            "hevc.mp4", "isom", 1,
            "1 video vide hvc1 hvc1.1.6.L30.90 160x120 24/1 frames/s 24 samples 1.0 s"),
        Sample("vp9.mp4", "isom", 1, "1 video vide vp09 vp09.00.10.08 64x48 10/1 frames/s 10 samples 1.0 s"),
        Sample("av1.mp4", "isom", 1, "1 video vide av01 av01.0.00M.08 64x48 10/1 frames/s 10 samples 1.0 s"),
        Sample("opus.mp4", "isom", 1, "1 audio soun Opus 48000 Hz 1 channels 51 samples 1.0 s eng"),
        Sample("hires.mp4", "isom", 0.05, "1 audio soun fLaC 96000 Hz 1 channels 1 samples 0.05 s"),
        Sample("audio.m4a", "M4A ", 0.5, "1 audio soun mp4a mp4a.40.2 44100 Hz 1 channels 23 samples 0.5 s fra"),
        Sample(
            "clip.mov", "qt  ", 1,
            "1 video vide avc1 avc1.64000C 176x144 30/1 frames/s 30 samples 1.0 s",
            "2 audio soun sowt 8000 Hz 2 channels 400 samples 0.05 s",
            // ffprobe reads language 0 of the classic Mac OS as English, although it is used for any language.
            "3 other tmcd tmcd 1 samples 1.0 s"),
        Sample("hires.mov", "qt  ", 0.005, "1 audio soun lpcm 96000 Hz 1 channels 480 samples 0.005 s"),
        Sample(
            "mpeg4.mov", "qt  ", 1,
            "1 video vide mp4v mp4v.20 64x48 12/1 frames/s 12 samples 1.0 s",
            "2 audio soun mp4a mp4a.40.2 16000 Hz 1 channels 17 samples 1.0 s"),
    ]
}

extension Track {
    /// The properties of the track in one line, as in the tables of the tests.
    var line: String {
        var words = ["\(id)", kind.rawValue, handler]
        if let codec { words.append(codec) }
        if let codecString { words.append(codecString) }
        if isEncrypted { words.append("encrypted") }
        if let width, let height { words.append("\(width)x\(height)") }
        if let rotation, rotation != 0, let displayWidth, let displayHeight {
            words.append("rotated by \(rotation) to \(displayWidth)x\(displayHeight)")
        }
        if let frameRate { words.append("\(frameRate) frames/s") }
        if let sampleRate { words.append("\(sampleRate) Hz") }
        if let channels { words.append("\(channels) channels") }
        words.append("\(sampleCount) samples \(duration.seconds) s")
        if let language { words.append(language) }
        return words.joined(separator: " ")
    }
}
