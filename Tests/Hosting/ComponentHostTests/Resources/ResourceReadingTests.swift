import ComponentKit
import Foundation
import Glibc
import SystemSupport
import TestSupport
import Testing

@testable import ComponentCatalog
@testable import ComponentHost

@Suite("How often directories are read")
struct ResourceReadingTests {
    private func directory(of count: Int) throws -> TemporaryDirectory {
        let place = try TemporaryDirectory()
        for number in 0..<count {
            try place.write(CompiledLibrary.component("C\(number)"), to: "libC\(number).so")
        }
        return place
    }

    @Test("a scan and a list read the directory of components once each, however many it holds", arguments: [1, 12])
    func components(count: Int) throws {
        let place = try directory(of: count)
        var host: LinkHost?
        let scanned = DirectoryReading.count {
            host = LinkHost(components: [place.path], includesBuiltIn: false, options: .quiet)
        }
        #expect(scanned == 1)
        var names: [String] = []
        let listed = DirectoryReading.count { names = host?.components.map(\.name) ?? [] }
        #expect(names.count == count)
        #expect(listed == 1)
        #expect(DirectoryReading.count { _ = host?.rescan() } == 1)
    }

    @Test("each component has its own bundle, whatever it and its package are called")
    func bundles() throws {
        let place = try TemporaryDirectory()
        for name in ["a_One.resources", "my-package_Two_Parts.resources", "b_two-parts.resources", "_Three.resources"] {
            try place.makeDirectory(name)
        }
        let bundles = ResourceBundles()
        var found: [String?] = []
        let count = DirectoryReading.count {
            for module in ["One", "Two_Parts", "two_parts", "Parts", "Three", "package_Two_Parts", "None", ""] {
                let resources = ResourcePlace(component: "C", module: module, folder: place.path)
                var checker = TrustChecker()
                do throws(ComponentFileError) {
                    if let directory = try resources.open(&checker, bundles) {
                        found.append(directory.path.splitPath.name)
                    } else {
                        found.append(nil)
                    }
                } catch {
                    found.append(error.message)
                }
            }
        }
        #expect(
            found == [
                "a_One.resources", "my-package_Two_Parts.resources", "b_two-parts.resources",
                "my-package_Two_Parts.resources", "_Three.resources", "my-package_Two_Parts.resources", nil, nil,
            ])
        #expect(count == 1)
    }

    @Test("a link in a directory of resources to the directory itself leads to it", arguments: ResourceReader.allCases)
    func ownLink(reader: ResourceReader) async throws {
        let place = try TemporaryDirectory()
        let folder = "\(reader.component).resources"
        try place.makeDirectory(folder)
        try place.write("fine", to: "\(folder)/a.txt")
        try place.link("\(folder)/itself", to: ".")
        try place.link("\(folder)/around", to: "../\(folder)")
        let host = try reader.host(in: place)
        for name in ["itself", "around"] {
            #expect(await reader.names(host, in: name) == ["a.txt"], "\(name)")
            #expect(await reader.read(host, "\(name)/a.txt") == "fine", "\(name)")
            let error = await reader.ask(host, "read", name).error
            #expect(error?.message.contains("found a directory") == true, "\(String(describing: error))")
        }
        #expect(await reader.names(host) == ["a.txt"])
        #expect(try #require(host.info(reader.component)).reason == "")
        await host.stop()
    }

    @Test("a directory of resources that is a link to the directory around it is refused for what it is")
    func parentLink() throws {
        let place = try TemporaryDirectory()
        try place.link("C.resources", to: ".")
        var checker = TrustChecker()
        let error = #expect(throws: ComponentFileError.self) {
            _ = try ResourcePlace(component: "C", module: "C", folder: place.path).open(&checker)
        }
        #expect(error?.message.hasPrefix("it is a link to the directory that contains it") == true)
    }
}
