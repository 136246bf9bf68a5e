import Foundation
import NXKit
import TestSupport
import Testing

@Suite("Folders of files that can be made again")
struct CacheFolderTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func folder(limit: Int = 1000, mostFiles: Int = .max) -> CacheFolder {
        let path = directory.path
        return CacheFolder("kept", limit: limit, mostFiles: mostFiles) { path }
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path(of: "kept")).sorted()
    }

    /// Makes the files look as if they had been written one after the other.
    private func age(_ names: String...) throws {
        for (index, name) in names.enumerated() {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(1_000_000 + index))],
                ofItemAtPath: directory.path(of: "kept/\(name)"))
        }
    }

    @Test("a file is read as it was written, with and without waiting")
    func written() async throws {
        let folder = folder()
        #expect(folder.readAndWait("a") == nil)
        try folder.writeAndWait(Data([1, 2, 3]), to: "a")
        let (path, count) = try await folder.write(Data([4, 5]), to: "b") { path in
            try Data(contentsOf: URL(filePath: path)).count
        }
        #expect(path == directory.path(of: "kept/b") && count == 2)
        #expect(folder.readAndWait("a") == Data([1, 2, 3]))
        #expect(await folder.read("b") == Data([4, 5]))
        try folder.writeAndWait(Data(), to: "a")
        #expect(await folder.read("a") == Data())
        await folder.remove("a")
        #expect(folder.readAndWait("a") == nil)
        #expect(try names() == ["b"])
    }

    @Test("the oldest files go when there is not enough space")
    func space() throws {
        let folder = folder(limit: 10)
        for name in ["a", "b", "c"] { try folder.writeAndWait(Data(count: 3), to: name) }
        try age("b", "a", "c")
        try folder.writeAndWait(Data(count: 4), to: "d")
        #expect(try names() == ["a", "c", "d"])
        // The new one stays, even if it is too large.
        try folder.writeAndWait(Data(count: 11), to: "e")
        #expect(try names() == ["e"])
    }

    @Test("the oldest files go when there are too many")
    func number() throws {
        let folder = folder(mostFiles: 3)
        for name in ["a", "b", "c"] { try folder.writeAndWait(Data([1]), to: name) }
        try age("c", "a", "b")
        try folder.writeAndWait(Data([1]), to: "d")
        #expect(try names() == ["a", "b", "d"])
        try folder.writeAndWait(Data([2]), to: "a")
        #expect(try names() == ["a", "b", "d"])
    }

    @Test("without a directory, nothing is read and writing fails")
    func none() async throws {
        let folder = CacheFolder("kept", limit: 10) { throw CocoaError(.fileWriteNoPermission) }
        #expect(folder.readAndWait("a") == nil)
        #expect(throws: CocoaError.self) { try folder.writeAndWait(Data([1]), to: "a") }
        await folder.remove("a")
    }
}
