import Foundation
import Glibc
import NXKit
import TestSupport
import Testing

@Suite("Bytes of a file")
struct FileBytesTests {
    private let directory: TemporaryDirectory
    private let content = [UInt8](0..<100)

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(
        "a read returns the bytes at the offset",
        arguments: [(0, 0), (0, 1), (0, 100), (40, 20), (99, 1), (100, 0)])
    func exact(offset: Int, count: Int) throws {
        let file = try FileBytes(path: directory.write(content, to: "bytes"))
        #expect(file.size == 100)
        #expect(try file.read(at: UInt64(offset), count: count) == Array(content[offset..<offset + count]))
    }

    @Test("the error of a read past the end has the range and the size of the file")
    func truncated() throws {
        let file = try FileBytes(path: directory.write(content, to: "bytes"))
        let error = #expect(throws: FileError.self) { try file.read(at: 90, count: 11) }
        #expect(error?.code == .truncated)
        let reason = "expected 11 bytes at byte 90, but the file ends at byte 100"
        #expect(error?.message == "\"\(directory.path(of: "bytes"))\": \(reason)")
    }

    @Test(
        "a read up to a number of bytes is cut at the end",
        arguments: [(90 as UInt64, 10), (98, 2), (100, 0), (101, 0), (UInt64(Int64.max), 0), (.max, 0)])
    func upTo(offset: UInt64, count: Int) throws {
        let file = try FileBytes(path: directory.write(content, to: "bytes"))
        #expect(try file.read(at: offset, upTo: 10) == Array(content.suffix(count)))
    }

    @Test("more than the largest read is refused", arguments: [-1, FileBytes.largestRead + 1, .max])
    func tooMuch(count: Int) throws {
        let file = try FileBytes(path: directory.write(content, to: "bytes"))
        let error = #expect(throws: FileError.self) { try file.read(at: 0, upTo: count) }
        #expect(error?.code == .limitExceeded)
    }

    @Test("the largest read works")
    func largest() throws {
        let sevens = [UInt8](repeating: 7, count: FileBytes.largestRead + 5)
        let file = try FileBytes(path: directory.write(sevens, to: "bytes"))
        let bytes = try file.read(at: 5, count: FileBytes.largestRead)
        #expect(bytes.count == FileBytes.largestRead)
        #expect(bytes.allSatisfy { $0 == 7 })
    }

    @Test("reading a file that was truncated after opening is an error")
    func shrunk() throws {
        let path = try directory.write(content, to: "bytes")
        let file = try FileBytes(path: path)
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 10)
        #expect(try file.read(at: 5, upTo: 50) == Array(content[5..<10]))
        let error = #expect(throws: FileError.self) { try file.read(at: 5, count: 50) }
        #expect(error?.code == .truncated)
    }

    @Test("an empty file has no bytes")
    func empty() throws {
        let file = try FileBytes(path: directory.write([], to: "bytes"))
        #expect(file.size == 0)
        #expect(try file.read(at: 0, upTo: 10) == [])
    }

    @Test("a link to a file is followed")
    func link() throws {
        let target = try directory.write(content, to: "bytes")
        try FileManager.default.createSymbolicLink(atPath: directory.path(of: "link"), withDestinationPath: target)
        let file = try FileBytes(path: directory.path(of: "link"))
        #expect(file.size == 100)
    }

    @Test("the descriptor is not inherited, and is closed with the value")
    func descriptor() throws {
        let path = try directory.write(content, to: "bytes")
        do {
            let file = try FileBytes(path: path)
            let number = try #require(openDescriptors(of: path).first)
            let info = try String(contentsOfFile: "/proc/self/fdinfo/\(number)", encoding: .utf8)
            let flags = try #require(info.split(separator: "\n").first { $0.hasPrefix("flags:") })
            let value = try #require(Int32(flags.split(separator: "\t")[1], radix: 8))
            #expect(value & O_CLOEXEC != 0)
            #expect(file.size == 100)
        }
        #expect(openDescriptors(of: path) == [])
    }

    private func openDescriptors(of path: String) -> [String] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
    }
}
