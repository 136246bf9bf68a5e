import Foundation
import Testing

@testable import ComponentCatalog

@Suite("Components and classes of one name")
struct SelectionTests {
    private func file(_ path: String) -> ComponentFile {
        ComponentFile(path: path, directory: "/d", neededLibraries: [], identity: FileIdentity(stat()))
    }

    @Test("the highest version wins; among equal versions, the first one found")
    func shadowing() throws {
        let catalog = try Catalog([
            .init(manifest: .make("A@1.0.0"), file: file("/d/a1.so")),
            .init(manifest: .make("A@1.2.0"), file: file("/d/a2.so")),
            .init(manifest: .make("A@1.2.0+other"), file: file("/e/a.so")),
            .init(manifest: .make("A@1.2.0-rc"), file: file("/e/rc.so")),
        ])
        #expect(catalog.entry(named: "A")?.file?.path == "/d/a2.so")
        #expect(catalog.entries.map(\.file?.path) == ["/d/a2.so", "/d/a1.so", "/e/a.so", "/e/rc.so"])
        #expect(
            catalog.entries.map(\.state) == [
                .available, .shadowed(by: "/d/a2.so"), .shadowed(by: "/d/a2.so"), .shadowed(by: "/d/a2.so"),
            ])
    }

    @Test("a built-in component is treated like any other")
    func builtIn() throws {
        let older = try Catalog([
            .init(manifest: .make("A@1.0.0")), .init(manifest: .make("A@1.1.0"), file: file("/d/a.so")),
        ])
        #expect(older.entry(named: "A")?.file?.path == "/d/a.so")
        let same = try Catalog([
            .init(manifest: .make("A@1.0.0")), .init(manifest: .make("A@1.0.0"), file: file("/d/a.so")),
        ])
        #expect(same.entry(named: "A")?.file == nil)
        #expect(same.entries.last?.state == .shadowed(by: "built in"))
    }

    @Test("a class belongs to the first component that declares it")
    func conflicts() throws {
        let catalog = try Catalog.make(
            [
                .make("B", classes: ["Link", "Own"]), .make("A", classes: ["Link", "HostLink"]),
                .make("C", classes: ["Shadow"]), .make("C@2.0.0", classes: ["Shadow2"]),
            ], hostClasses: ["HostLink"])
        #expect(catalog.entry(ofClass: "Link")?.manifest.name == "B")
        #expect(catalog.entry(ofClass: "Own")?.manifest.name == "B")
        #expect(catalog.entry(ofClass: "HostLink") == nil)
        #expect(catalog.entry(ofClass: "Shadow") == nil)
        #expect(catalog.entry(ofClass: "Shadow2")?.manifest.version == Version(2, 0, 0))
        #expect(
            catalog.conflicts == [
                .init(className: "Link", winner: "B", loser: "A"),
                .init(className: "HostLink", winner: nil, loser: "A"),
            ])
        #expect(catalog.available == ["A", "B", "C"])
    }

    @Test("no components make an empty catalogue")
    func empty() {
        #expect(Catalog.empty.entries.isEmpty)
        #expect(Catalog.empty.entry(named: "A") == nil)
        #expect(Catalog.empty.entry(ofClass: "A") == nil)
    }
}
