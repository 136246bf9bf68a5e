import NXKit
import TestSupport
import Testing

@testable import ComponentVideo

@Suite("Sample films")
struct SampleTests {
    @Test("a sample is described as other programs describe it", arguments: Sample.all)
    func described(sample: Sample) throws {
        let info = try Film.read(path: sample.path)
        #expect(info.brand == sample.brand)
        #expect(info.durationSeconds == sample.seconds)
        #expect(info.isFragmented == sample.isFragmented)
        #expect(info.isComplete)
        #expect(info.tracks.map(\.line) == sample.tracks)
    }

    @Test("a time is exact")
    func exact() throws {
        let sample = try #require(Sample.all.first { $0.name == "ntsc.mp4" })
        let info = try Film.read(path: sample.path)
        #expect(info.duration == MediaTime(value: 1001, timescale: 1000))
        #expect(info.tracks[0].frameRate == Ratio(30000, 1001))
        #expect(info.tracks[0].frameRate?.value == 29.97002997002997)
    }

    /// After the movie's description a file may be cut off anywhere. It is then incomplete, and everything else is the
    /// same except for the lost fragments. If it is cut off within or before the description, the file is refused.
    @Test("cut off at any byte, a sample is described as far as possible or refused", arguments: Sample.all)
    func cutOff(sample: Sample) throws {
        let bytes = try sample.bytes()
        let file = try TemporaryFile(bytes)
        let whole = try Film.read(path: sample.path)
        let boundaries = sample.boundaries(bytes)
        var shortest = bytes.count
        var surprises: [String] = []
        for size in stride(from: bytes.count - 1, through: 0, by: -1) {
            try file.resize(to: size)
            do throws(FileError) {
                let info = try Film.read(path: file.path)
                let isSame = info.tracks == whole.tracks && info.duration == whole.duration
                let isPart = zip(info.tracks, whole.tracks).allSatisfy { $0.sampleCount <= $1.sampleCount }
                if !(sample.isFragmented ? isPart : isSame) || size != shortest - 1 {
                    surprises.append("\(size) bytes: \(info)")
                }
                shortest = size
            } catch {
                let isExpected =
                    error.code == (size > 0 && size < 8 || boundaries.contains(size) ? .unsupported : .truncated)
                let namesFile = error.message.hasPrefix("\"\(file.path)\": ")
                if !isExpected || !namesFile { surprises.append("\(size) bytes: \(error)") }
            }
        }
        #expect(surprises.prefix(3) == [])
        #expect(sample.isDescribedFirst ? shortest < bytes.count : shortest == bytes.count)
    }

    @Test("with flipped bits, a sample is described sensibly or refused", arguments: Sample.all)
    func turnedBits(sample: Sample) throws {
        let bytes = try sample.bytes()
        let file = try TemporaryFile(bytes)
        // Bits of the media change nothing, so flip only bits of the description.
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("moov".utf8)) }) - 4
        var random = SplitMix64(seed: 42)
        var outcomes: Set<Bool> = []
        for _ in 0..<600 {
            let places = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Int.random(in: start..<bytes.count, using: &random)
            }
            for place in places {
                try file.write([bytes[place] ^ 1 << UInt8.random(in: 0..<8, using: &random)], at: place)
            }
            do throws(FileError) {
                let info = try Film.read(path: file.path)
                #expect(info.durationSeconds >= 0 && info.durationSeconds.isFinite)
                #expect(info.tracks.allSatisfy { $0.duration.timescale > 0 && $0.frameRate?.denominator != 0 })
                outcomes.insert(true)
            } catch {
                #expect(error.message.hasPrefix("\"\(file.path)\": "))
                outcomes.insert(false)
            }
            for place in places { try file.write([bytes[place]], at: place) }
        }
        #expect(outcomes == [true, false])
    }
}
