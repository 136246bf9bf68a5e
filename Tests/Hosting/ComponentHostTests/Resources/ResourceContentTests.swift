import Foundation
import Glibc
import TestSupport
import Testing

@testable import ComponentHost
@testable import ComponentKit

@Suite("The content of resources")
struct ResourceContentTests {
    let place: TemporaryDirectory
    private let host: LinkHost
    private let resources: Resources

    init() throws {
        place = try TemporaryDirectory()
        try place.makeDirectory("FixtureComponent.resources")
        host = try ResourceReader.program.host(in: place)
        resources = host.resources(of: "FixtureComponent")
    }

    private func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        try place.write(bytes, to: "FixtureComponent.resources/\(name)")
    }

    private struct Sound: Decodable, Equatable {
        let name: String
        let length: Double
    }

    @Test("a file is data, text or a value from JSON")
    func forms() throws {
        try write(Array(#"[{"name": "bell", "length": 1}]"#.utf8), to: "sounds.json")
        try write([0xFF, 0x00, 0x80], to: "bytes")
        try write([], to: "empty")
        #expect(try resources.data("bytes") == Data([0xFF, 0x00, 0x80]))
        #expect(try resources.data("empty") == Data())
        #expect(try resources.string("empty") == "")
        #expect(try resources.json("sounds.json", as: [Sound].self) == [Sound(name: "bell", length: 1)])
        let sounds: [Sound] = try resources.json("sounds.json")
        #expect(sounds.count == 1)
        #expect(try Data(contentsOf: resources.url("bytes")) == Data([0xFF, 0x00, 0x80]))
    }

    @Test(
        "what was found and expected is reported",
        arguments: [
            (#"[{"name": "bell", "length": "long"}]"#, "length"), (#"[{"name": "bell"}]"#, "length"),
            ("[1,", "line 1, column 4"), ("", "line 1, column 1"), ("{}", "array"),
        ])
    func json(text: String, words: String) throws {
        try write(text.utf8, to: "sounds.json")
        let error = try #require(
            #expect(throws: ResourceError.self) { try resources.json("sounds.json", as: [Sound].self) })
        #expect(error.code == .invalidContent)
        #expect(error.description.hasPrefix(#"FixtureComponent: the resource "sounds.json": "#))
        #expect(error.message.contains(words), "\(error)")
    }

    @Test("text that is not UTF-8 is refused", arguments: [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func text(bytes: [UInt8]) throws {
        try write(bytes, to: "a.txt")
        let error = #expect(throws: ResourceError.self) { try resources.string("a.txt") }
        #expect(error?.message == #"the resource "a.txt": it is not text in UTF-8"#)
    }

    @Test("a file is read up to the limit, and a larger one is refused with both sizes")
    func limits() throws {
        try write(Array("1234".utf8), to: "a.txt")
        #expect(try resources.string("a.txt", limit: 4) == "1234")
        for limit in [3, 0, -1] {
            let error = #expect(throws: ResourceError.self) { try resources.data("a.txt", limit: limit) }
            #expect(error?.code == .tooLarge)
            #expect(error?.message.hasSuffix("it has 4 bytes, more than the limit of \(limit)") == true)
        }
        #expect(unsafe truncate(place.path(of: "FixtureComponent.resources/a.txt"), (64 << 20) + 1) == 0)
        #expect(throws: ResourceError.self) { try resources.data("a.txt") }
        #expect(throws: ResourceError.self) { try resources.string("a.txt") }
        #expect(throws: ResourceError.self) { try resources.json("a.txt", as: Int.self) }
        // A URL has no limit: nothing is read.
        #expect(try resources.url("a.txt").lastPathComponent == "a.txt")
    }

    @Test("more than 65,536 files are not listed")
    func tooMany() throws {
        for number in 0...65_536 {
            let path = place.path(of: "FixtureComponent.resources/\(number)")
            close(unsafe open(path, O_WRONLY | O_CREAT, 0o644))
        }
        let error = #expect(throws: ResourceError.self) { try resources.names() }
        #expect(error?.code == .tooLarge)
        #expect(error?.message == "the resources: there are more than 65536 files")
        #expect(unsafe unlink(place.path(of: "FixtureComponent.resources/0")) == 0)
        #expect(try resources.names().count == 65_536)
    }
}
