import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog
@testable import ComponentHost
@testable import ComponentKit

/// Two spellings of one name, which Swift takes as equal, are two names for the file system and for callers.
@Suite("Two spellings of one name")
struct SpellingTests {
    private static let composed = "\u{E9}"
    private static let decomposed = "e\u{301}"

    let place: TemporaryDirectory

    init() throws { place = try TemporaryDirectory() }

    @Test("classes whose names differ in their bytes are two classes")
    func classes() throws {
        func manifest(_ name: String, _ linkClass: String) throws -> Manifest {
            try Manifest(["name": .string(name), "version": "1.0.0", "classes": [["name": .string(linkClass)]]])
        }
        let catalog = Catalog([
            .init(manifest: try manifest("A", Self.composed)), .init(manifest: try manifest("B", Self.decomposed)),
        ])
        #expect(catalog.conflicts.isEmpty)
        #expect(catalog.entry(ofClass: Self.composed)?.manifest.name == "A")
        #expect(catalog.entry(ofClass: Self.decomposed)?.manifest.name == "B")
        // The Kelvin sign.
        #expect(SelectorReference(name: "\u{212A}") != SelectorReference(name: "K"))
    }

    @Test("selectors of one class whose names differ in their bytes are two selectors")
    func selectors() throws {
        let declaration = ClassDeclaration(
            name: "A",
            selectors: [
                SelectorDeclaration(name: Self.composed, kind: .object, isQuick: true),
                SelectorDeclaration(name: Self.decomposed, kind: .object),
            ])
        #expect(declaration.selector(Self.composed, .object)?.isQuick == true)
        #expect(declaration.selector(Self.decomposed, .object)?.isQuick == false)
    }

    @Test("files are loaded from both, and neither counts as the other")
    func files() async throws {
        for (fixture, name) in [("CGood", Self.composed), ("KeepsData", Self.decomposed)] {
            try FileManager.default.copyItem(
                at: try Fixtures.file(fixture), to: URL(filePath: place.path(of: "lib\(name).so")))
            try place.setMode(0o755, of: "lib\(name).so")
        }
        let host = LinkHost(components: [place.path], includesBuiltIn: false, options: .quiet)
        #expect(try await host.value("CGoodLink", "state") == 1)
        #expect(try await host.value("KeepsDataLink", "unknown") == false)
        await host.stop()
    }

    @Test("a rejected file in the place of another is told")
    func rejections() throws {
        try place.write("", to: "lib\(Self.composed).so")
        let former = CatalogScanner.scan([place.path])
        try FileManager.default.removeItem(atPath: place.path(of: "lib\(Self.composed).so"))
        try place.write("", to: "lib\(Self.decomposed).so")
        let catalog = CatalogScanner.scan([place.path])
        let changes = CatalogDifference(from: [:], to: [:], former, catalog).all
        #expect(changes.map(\.kind) == [.fileRefused])
        #expect(catalog.rejection(at: place.path(of: "lib\(Self.decomposed).so")) != nil)
        #expect(catalog.rejection(at: place.path(of: "lib\(Self.composed).so")) == nil)
    }

    @Test("a consumer has an instance of its own")
    func consumers() {
        let slots = ConsumerInstances(of: .host)
        #expect(slots.slot(of: "K") !== slots.slot(of: "\u{212A}"))
        #expect(slots.slot(of: "K") === slots.slot(of: "K"))
    }

    @Test("both resources are listed and read", arguments: ResourceReader.allCases)
    func resources(reader: ResourceReader) async throws {
        let folder = "\(reader.component).resources"
        try place.makeDirectory(folder)
        for name in [Self.composed, Self.decomposed] { try place.write(name, to: "\(folder)/\(name)") }
        let host = try reader.host(in: place)
        let names = try #require(await reader.ask(host, "names").returnValue?.items())
        #expect(
            try names.map { Array(try $0.string().utf8) } == [Self.decomposed, Self.composed].map { Array($0.utf8) })
        for name in [Self.composed, Self.decomposed] {
            let text = await reader.read(host, name)
            #expect(Array(text.utf8) == Array(name.utf8))
        }
        await host.stop()
    }

    @Test("both keys of a map are there")
    func payload() {
        let map = Payload(entries: [(Self.composed, 1), (Self.decomposed, 2)], uniquingKeysWith: { first, _ in first })
        #expect((try? map.entries().count) == 2)
        #expect(PayloadError.PathElement.key(Self.composed) != .key(Self.decomposed))
    }

    @Test("search paths end at a colon before a combining mark")
    func defaultDirectories() {
        let found = Catalog.defaultDirectories(
            environment: ["HSLINK_PATH": "/a:\u{301}b"], executable: "", exists: { _ in false })
        #expect(found == ["/a", "\u{301}b"])
    }
}
