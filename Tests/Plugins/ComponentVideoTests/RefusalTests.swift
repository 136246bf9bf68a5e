import Foundation
import Glibc
import NXKit
import Testing

@testable import ComponentVideo

@Suite("Files that are not films")
struct RefusalTests {
    @Test("an empty file is refused as truncated")
    func empty() throws {
        let error = try refusal([])
        #expect(error?.code == .truncated)
        #expect(error?.message.hasSuffix("it is empty; copy the file again") == true)
    }

    @Test("a text file is refused with its first bytes")
    func text() throws {
        let error = try refusal(Array("Dear Sir or Madam".utf8))
        #expect(error?.code == .unsupported)
        let reason = "it begins with 44 65 61 72 20 53 69 72, which is neither MP4 nor QuickTime"
        #expect(error?.message.hasSuffix(reason) == true)
    }

    @Test("a missing file, a directory and a FIFO are refused before anything is read")
    func noFile() throws {
        let directory = FileManager.default.temporaryDirectory
        let fifo = directory.appending(path: "fifo-\(UUID().uuidString)").path
        #expect(unsafe mkfifo(fifo, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: fifo) }
        #expect(refusal(path: fifo)?.code == .notRegularFile)
        #expect(refusal(path: directory.path)?.code == .notRegularFile)
        #expect(refusal(path: "/nonexistent/clip.mp4")?.code == .notFound)
    }

    @Test("a picture in the same kind of boxes is refused with its brand")
    func picture() throws {
        let error = try refusal(Make.box("ftyp", Array("avif".utf8), Make.be32(0)) + Make.full("meta"))
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("a file of brand 'avif' without a box 'moov'") == true)
    }

    @Test("fragments without the description that they need are refused")
    func fragmentsOnly() throws {
        let error = try refusal(Make.box("styp", Array("msdh".utf8)) + Make.fragment())
        #expect(error?.code == .unsupported)
        #expect(error?.message.hasSuffix("put the initialization segment before it") == true)
    }

    @Test("a compressed description is refused")
    func compressed() throws {
        let error = try refusal(Make.box("moov", Make.box("cmov", Make.zeros(20))))
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("compressed ('cmov')") == true)
    }

    @Test(
        "a missing required box is named",
        arguments: [
            ("mvhd", "moov"), ("tkhd", "trak"), ("mdia", "trak"), ("mdhd", "mdia"), ("hdlr", "mdia"), ("minf", "mdia"),
            ("stbl", "minf"), ("stsd", "stbl"), ("stts", "stbl"),
        ])
    func missing(type: String, parent: String) throws {
        var bytes = Make.brand + Make.movie(Make.track())
        // Rename the first box of this type.
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array(type.utf8)) })
        bytes.replaceSubrange(place..<place + 4, with: Array("free".utf8))
        let error = try refusal(bytes)
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("a box '\(type)' was expected in the box '\(parent)' at byte") == true)
    }

    @Test(
        "a box that is too short for its values is refused",
        arguments: ["tkhd", "mdhd", "mvhd", "hdlr", "stsd", "stts"])
    func tooShort(type: String) throws {
        let whole = Make.brand + Make.movie(Make.track())
        let place = try #require(whole.indices.first { whole[$0...].starts(with: Array(type.utf8)) })
        // Its body is shortened to 6 bytes; a box of another type fills the rest.
        let size = whole[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
        let rest = Make.be32(UInt32(size - 14)) + Array("free".utf8)
        let head = whole[..<(place - 4)] + Make.be32(14) + whole[place..<place + 10]
        let error = try refusal(Array(head + rest + whole[(place + 18)...]))
        #expect(error?.code == .malformed || error?.code == .truncated, "\(String(describing: error))")
    }
}
