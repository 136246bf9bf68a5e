import ComponentImageContract
import Foundation
import Glibc
import NXKit
import TestSupport
import Testing

@testable import ComponentImage

@Suite("Files that are not pictures")
struct RefusalTests {
    /// The error for a file with the given content.
    private func refusal(_ bytes: [UInt8]) throws -> FileError? {
        let file = try TemporaryFile(bytes)
        return refusal(path: file.path)
    }

    private func refusal(path: String) -> FileError? {
        do throws(FileError) {
            let info = try ImageInfo.read(path: path)
            Issue.record("\(path) was described as \(info)")
            return nil
        } catch {
            return error
        }
    }

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
        let reason = "it begins with 44 65 61 72 20 53 69 72, which matches none of png, jpeg, gif, bmp, webp"
        #expect(error?.message.hasSuffix(reason) == true)
    }

    @Test("a RIFF file with sound is refused")
    func otherRIFF() throws {
        let error = try refusal(Array("RIFF\u{10}\0\0\0WAVEfmt ".utf8))
        #expect(error?.code == .unsupported)
    }

    @Test("a missing file, a directory and a FIFO are refused before anything is read")
    func noFile() throws {
        let directory = FileManager.default.temporaryDirectory
        let fifo = directory.appending(path: "fifo-\(UUID().uuidString)").path
        #expect(unsafe mkfifo(fifo, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: fifo) }
        #expect(refusal(path: fifo)?.code == .notRegularFile)
        #expect(refusal(path: directory.path)?.code == .notRegularFile)
        #expect(refusal(path: "/nonexistent/picture.png")?.code == .notFound)
    }

    @Test("a header that violates its standard is refused with the expected value", arguments: BrokenHeader.all)
    func broken(header: BrokenHeader) throws {
        let error = try refusal(header.bytes)
        #expect(error?.code == header.code)
        #expect(error?.message.contains(header.reason) == true, "\(String(describing: error))")
    }

    @Test(
        "a signature without a header is truncated",
        arguments: [Make.pngSignature, [0xFF, 0xD8, 0xFF]] + ["GIF89a", "BM", "RIFF....WEBP"].map { Array($0.utf8) })
    func signatures(bytes: [UInt8]) throws {
        #expect(try refusal(bytes)?.code == .truncated)
    }
}
