import ComponentImageContract
import NXKit
import TestSupport
import Testing

@testable import ComponentImage

@Suite("Sample pictures")
struct SampleTests {
    @Test("a sample is described as other programs describe it", arguments: Sample.all)
    func described(sample: Sample) throws {
        #expect(try ImageInfo.read(path: sample.path) == sample.info)
    }

    /// The part of a header that is read must be present; the bytes after it do not matter.
    @Test("cut off at any byte, a sample is described as before or refused", arguments: Sample.all)
    func cutOff(sample: Sample) throws {
        let bytes = try sample.bytes()
        let file = try TemporaryFile(bytes)
        var shortest = bytes.count
        var surprises: [String] = []
        for size in stride(from: bytes.count - 1, through: 0, by: -1) {
            try file.resize(to: size)
            do throws(FileError) {
                var info = try ImageInfo.read(path: file.path)
                // The number of images in a GIF is known only at its end.
                if info.format == .gif { info.isAnimated = sample.info.isAnimated }
                if info != sample.info || size != shortest - 1 { surprises.append("\(size) bytes: \(info)") }
                shortest = size
            } catch {
                let isExpected = error.code == .truncated || size < 12 && error.code == .unsupported
                let namesFile = error.message.hasPrefix("\"\(file.path)\": ")
                if !isExpected || !namesFile { surprises.append("\(size) bytes: \(error)") }
            }
        }
        #expect(surprises.prefix(3) == [])
        #expect(10..<bytes.count ~= shortest)
    }

    @Test("with flipped bits, a sample is described sensibly or refused", arguments: Sample.all)
    func turnedBits(sample: Sample) throws {
        let bytes = try sample.bytes()
        let file = try TemporaryFile(bytes)
        var random = SplitMix64(seed: 42)
        var outcomes: Set<Bool> = []
        for _ in 0..<400 {
            // Most flipped bits are in the header, where they matter.
            let reach = Bool.random(using: &random) ? min(bytes.count, 64) : bytes.count
            let places = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Int.random(in: 0..<reach, using: &random)
            }
            for place in places {
                try file.write([bytes[place] ^ 1 << UInt8.random(in: 0..<8, using: &random)], at: place)
            }
            do throws(FileError) {
                let info = try ImageInfo.read(path: file.path)
                #expect(info.width > 0 && info.height > 0)
                #expect(1...32 ~= info.bitDepth && 1...255 ~= info.channels)
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
