import Foundation
import Glibc
import TestSupport
import Testing

@testable import ComponentHost
@testable import ComponentKit

@Suite("Resources")
struct ResourceTests {
    let place: TemporaryDirectory

    init() throws { place = try TemporaryDirectory() }

    /// Makes the directory of the reader's component, with one file.
    private func fill(_ reader: ResourceReader) throws {
        try place.makeDirectory("\(reader.component).resources/icons")
        try place.setMode(0o755, of: "\(reader.component).resources")
        try place.write("a triangle", to: "\(reader.component).resources/icons/play.txt")
    }

    @Test("a file is read, located and listed", arguments: ResourceReader.allCases)
    func file(reader: ResourceReader) async throws {
        try fill(reader)
        let host = try reader.host(in: place)
        let directory = place.path(of: "\(reader.component).resources")
        #expect(await reader.ask(host, "directory").returnValue == .string(directory))
        #expect(await reader.read(host, "icons/play.txt") == "a triangle")
        #expect(await reader.ask(host, "path", "icons/play.txt").returnValue == .string("\(directory)/icons/play.txt"))
        #expect(await reader.names(host, in: "icons") == ["play.txt"])
        #expect(await reader.names(host) == [])
        await host.stop()
    }

    @Test("without a directory there are no names, and each file is missing", arguments: ResourceReader.allCases)
    func none(reader: ResourceReader) async throws {
        let host = try reader.host(in: place)
        #expect(host.info(reader.component)?.reason == "")
        #expect(await reader.names(host) == [])
        for (form, name) in [("read", "a.txt"), ("path", "a.txt"), ("names", "icons"), ("directory", "")] {
            let error = try #require(await reader.ask(host, form, name).error, "\(form)")
            #expect((error.domain, error.number) == ("hslink.resources", 1))
            let expected = "expected a directory \(place.path(of: "\(reader.component).resources"))"
            #expect(error.message.contains(expected), "\(error)")
        }
        await host.stop()
    }

    @Test("a change is visible at once", arguments: ResourceReader.allCases)
    func changes(reader: ResourceReader) async throws {
        let host = try reader.host(in: place)
        #expect(await reader.read(host, "icons/play.txt") == "error 1")
        try fill(reader)
        #expect(await reader.read(host, "icons/play.txt") == "a triangle")
        try place.write("a square", to: "\(reader.component).resources/icons/play.txt")
        #expect(await reader.read(host, "icons/play.txt") == "a square")
        try place.write("a circle", to: "\(reader.component).resources/icons/record.txt")
        #expect(await reader.names(host, in: "icons") == ["play.txt", "record.txt"])
        await host.stop()
    }

    @Test("a folder of 10,000 files is listed in order", arguments: ResourceReader.allCases)
    func many(reader: ResourceReader) async throws {
        try fill(reader)
        let names = (0..<10_000).map { "\(10_000 + $0).txt" }
        for name in names.shuffled() {
            let path = place.path(of: "\(reader.component).resources/\(name)")
            close(unsafe open(path, O_WRONLY | O_CREAT, 0o644))
        }
        let host = try reader.host(in: place)
        #expect(await reader.names(host) == names)
        await host.stop()
    }

    @Test("only files are listed: not folders, nor links that lead out or nowhere", arguments: ResourceReader.allCases)
    func listed(reader: ResourceReader) async throws {
        try fill(reader)
        let folder = "\(reader.component).resources"
        try place.link("\(folder)/inside", to: "icons/play.txt")
        try place.link("\(folder)/folder", to: "icons")
        try place.link("\(folder)/outside", to: "/etc/passwd")
        try place.link("\(folder)/nowhere", to: "absent")
        #expect(unsafe mkfifo(place.path(of: "\(folder)/pipe"), 0o644) == 0)
        try place.write("", to: "\(folder)/é.txt")
        let host = try reader.host(in: place)
        #expect(await reader.names(host) == ["inside", "é.txt"])
        #expect(await reader.read(host, "inside") == "a triangle")
        #expect(await reader.read(host, "folder/play.txt") == "a triangle")
        #expect(await reader.names(host, in: "folder") == ["play.txt"])
        #expect(await reader.names(host, in: "inside") == nil)
        await host.stop()
    }

    @Test("a method that passes the error on names component and file", arguments: ResourceReader.allCases)
    func passedOn(reader: ResourceReader) async throws {
        try fill(reader)
        let host = try reader.host(in: place)
        let error = try #require(await reader.ask(host, "read", "no \"such\" file").error)
        #expect(error.component == reader.component)
        #expect(error.message.hasPrefix(#"the resource "no \"such\" file": there is no such file in /"#))
        #expect(error.details == ["resource": "no \"such\" file"])
        await host.stop()
    }

    @Test("the program reads resources without loading the component, also after a rescan and after the stop")
    func program() async throws {
        try fill(.program)
        let host = try ResourceReader.program.host(in: place)
        let resources = host.resources(of: "FixtureComponent")
        #expect(resources.component == "FixtureComponent")
        #expect(try resources.string("icons/play.txt") == "a triangle")
        host.rescan()
        #expect(try resources.string("icons/play.txt") == "a triangle")
        #expect(!host.isLoaded("FixtureResources"))
        await host.stop()
        #expect(try resources.string("icons/play.txt") == "a triangle")
        let error = #expect(throws: ResourceError.self) { try host.resources(of: "Nobody").data("a") }
        #expect(error?.code == .notFound)
        #expect(error?.description == #"Nobody: the resource "a": no component Nobody was found"#)
    }

    @Test("the program's own classes have none")
    func ownClasses() async throws {
        let host = LinkHost(
            components: [], includesBuiltIn: false, provides: [ProvidedClass(ReadingLink.self)], options: .quiet)
        let error = try #require(await answer { try await host.call("ReadingLink", "read") }.error)
        #expect(error.message.contains("call resources(of:) on the host"))
        await host.stop()
    }

    @Test("a component in C needs no receiver for the reason, and may pass names that are no texts")
    func silent() async throws {
        try fill(.inC)
        let host = try ResourceReader.inC.host(in: place)
        #expect(try await host.value("ReadsResourcesLink", "silent") == 5)
        await host.stop()
    }
}

/// A class of the program that asks for a resource.
private final class ReadingLink: LinkClass {
    private let context: ComponentContext
    init(_ context: ComponentContext) { self.context = context }
    static let methods: [LinkMethod<ReadingLink>] = [
        .method("read") { reading, _ in try reading.context.resources.string("a.txt") }
    ]
}
