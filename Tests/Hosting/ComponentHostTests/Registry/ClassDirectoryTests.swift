import ComponentKit
import Testing

@testable import ComponentCatalog
@testable import ComponentHost

@Suite("Which component has a class")
struct ClassDirectoryTests {
    @Test("the first of two components with the same class keeps it")
    func first() {
        let units = ["A", "B"].map { unit($0, ["Shared", "Only\($0)"]) }
        let directory = ClassDirectory(units)
        for (className, owner) in [("Shared", "A"), ("OnlyA", "A"), ("OnlyB", "B")] {
            #expect(unsafe directory.find(className)?.takeUnretainedValue().unit.name == owner)
            #expect(unsafe directory.find(className)?.takeUnretainedValue().name == className)
        }
        #expect(unsafe directory.find("Missing") == nil)
        #expect(unsafe directory.find("") == nil)
        #expect(unsafe ClassDirectory([]).find("Shared") == nil)
        withExtendedLifetime(units) {}
    }

    @Test("a unit has no addresses before it is loaded")
    func unloaded() throws {
        let unit = unit("A", ["Shared"])
        let entry = try #require(unit.classEntries.first)
        #expect(unsafe entry.loadedClass == nil)
        #expect(unit.loaded == nil)
        #expect(!unit.reset())
        #expect(unit.enterStarting())
        unit.fail(LinkError(.createFailed))
        #expect(unit.isSettled)
        #expect(unit.reset())
        #expect(!unit.isSettled)
    }

    private func unit(_ name: String, _ classes: [String]) -> ComponentUnit {
        let manifest = Manifest(
            name: name, version: Version(1, 0, 0), module: "",
            classes: classes.map { ClassDeclaration(name: $0, instances: .shared, selectors: []) }, requires: [])
        let component = LinkedComponent.make(name: name, version: "1.0.0", [])
        return unsafe ComponentUnit(manifest, .builtIn(component.descriptor), options: .quiet)
    }
}
