import Foundation
import Glibc
import TestSupport
import Testing

@testable import ComponentCatalog
@testable import ComponentHost
@testable import ComponentKit

@Suite("Which directory has a component's resources")
struct ResourceDirectoryTests {
    let place: TemporaryDirectory

    init() throws { place = try TemporaryDirectory() }

    private func fill(_ folder: String, _ text: String = "fine") throws {
        try place.makeDirectory(folder)
        try place.write(text, to: "\(folder)/a.txt")
    }

    @Test("SwiftPM's bundle for the module is taken as it is", arguments: ResourceReader.allCases)
    func bundle(reader: ResourceReader) async throws {
        try fill("a-package_\(reader.component).resources", "bundle")
        try fill("Other\(reader.component).resources", "other")
        try fill("a-package_Other.resources", "other")
        let host = try reader.host(in: place)
        let path = place.path(of: "a-package_\(reader.component).resources")
        #expect(await reader.ask(host, "directory").returnValue == .string(path))
        #expect(await reader.read(host, "a.txt") == "bundle")
        // Its own directory takes precedence.
        try fill("\(reader.component).resources", "own")
        #expect(await reader.read(host, "a.txt") == "own")
        await host.stop()
    }

    @Test("of two bundles none is taken", arguments: ResourceReader.allCases)
    func twoBundles(reader: ResourceReader) async throws {
        try fill("b_\(reader.component).resources")
        try fill("a_\(reader.component).resources")
        let host = try reader.host(in: place)
        let error = try #require(await reader.ask(host, "read", "a.txt").error)
        let both = "a_\(reader.component).resources, b_\(reader.component).resources"
        #expect(error.message.contains("several bundles could be its own: \(both); rename"))
        #expect(try #require(host.info(reader.component)).reason.contains(both))
        await host.stop()
    }

    @Test("a module has underscores where its target has hyphens")
    func hyphens() throws {
        try fill("package_my-player.resources")
        let place = ResourcePlace(component: "Player", module: "my_player", folder: place.path)
        var checker = TrustChecker(policy: .strict)
        #expect(try place.open(&checker)?.path == self.place.path(of: "package_my-player.resources"))
    }

    @Test(
        "a directory that others can change costs the resources, not the component",
        arguments: ResourceReader.allCases, [mode_t(0o777), 0o1777])
    func untrusted(reader: ResourceReader, mode: mode_t) async throws {
        try fill("\(reader.component).resources")
        try place.setMode(mode, of: "\(reader.component).resources")
        let host = try reader.host(in: place)
        let error = try #require(await reader.ask(host, "read", "a.txt").error)
        #expect((error.domain, error.number) == ("hslink.resources", 4))
        #expect(error.component == reader.component)
        #expect(error.message.contains("so anyone could change the resources; fix it with: chmod o-w"), "\(error)")
        let info = try #require(host.info(reader.component))
        #expect("\(info.state)" != "failed")
        #expect(info.reason.contains("its resources cannot be used: the directory "))

        try place.setMode(0o755, of: "\(reader.component).resources")
        #expect(await reader.read(host, "a.txt") == "fine")
        #expect(host.info(reader.component)?.reason == "")
        await host.stop()

        try place.setMode(mode, of: "\(reader.component).resources")
        let careless = try reader.host(in: place, trust: .unchecked)
        #expect(await reader.read(careless, "a.txt") == "fine")
        #expect(careless.info(reader.component)?.reason == "")
        await careless.stop()
    }

    @Test(
        "another user's files are refused", .enabled(if: geteuid() == 0, "only root gives files away"),
        arguments: ResourceReader.allCases, ["", "/a.txt"])
    func foreign(reader: ResourceReader, name: String) async throws {
        try fill("\(reader.component).resources")
        #expect(unsafe chown(place.path(of: "\(reader.component).resources\(name)"), 4321, 0) == 0)
        let host = try reader.host(in: place)
        #expect(await reader.read(host, "a.txt") == "error 4")
        await host.stop()
    }

    @Test("a program in a folder that others can change has no resources there, if it has any")
    func untrustedProgram() async throws {
        try place.setMode(0o777, of: ".")
        let host = try ResourceReader.builtIn.host(in: place)
        #expect(host.info("FixtureComponent")?.reason == "")
        try fill("FixtureComponent.resources")
        #expect(await ResourceReader.builtIn.read(host, "a.txt") == "error 4")
        #expect(host.info("FixtureComponent")?.reason.contains("writable by everyone") == true)
        await host.stop()
    }

    @Test(
        "a link out of the folder is refused in its place, unless nothing is checked",
        arguments: ResourceReader.allCases)
    func link(reader: ResourceReader) async throws {
        let elsewhere = try TemporaryDirectory()
        try elsewhere.write("elsewhere", to: "a.txt")
        try place.link("\(reader.component).resources", to: elsewhere.path)
        let host = try reader.host(in: place)
        #expect(await reader.read(host, "a.txt") == "error 3")
        #expect(host.info(reader.component)?.reason.contains("a link leads out of the directory") == true)
        await host.stop()
        let careless = try reader.host(in: place, trust: .unchecked)
        #expect(await reader.read(careless, "a.txt") == "elsewhere")
        await careless.stop()
    }

    @Test("a link within the folder is followed", arguments: ResourceReader.allCases)
    func innerLink(reader: ResourceReader) async throws {
        try fill("2.0.resources", "two")
        try place.link("\(reader.component).resources", to: "2.0.resources")
        let host = try reader.host(in: place)
        #expect(await reader.read(host, "a.txt") == "two")
        await host.stop()
    }

    @Test("a file in its place is refused", arguments: ResourceReader.allCases)
    func file(reader: ResourceReader) async throws {
        try place.write("x", to: "\(reader.component).resources")
        let host = try reader.host(in: place)
        #expect(await reader.read(host, "a.txt") == "error 5")
        #expect(host.info(reader.component)?.reason.contains("expected a folder, found a file") == true)
        await host.stop()
    }
}
