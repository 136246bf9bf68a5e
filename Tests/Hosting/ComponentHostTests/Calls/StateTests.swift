import ComponentHost
import ComponentKit
import Foundation
import Testing

@Suite("The state of a component")
struct StateTests {
    @Test("available before, running after the first call, stopped in the end", arguments: Depth.allCases)
    func life(depth: Depth) async throws {
        let host = try depth.host()
        #expect(host.state(of: "FixtureComponent")?.description == "available")
        #expect(host.isAvailable("FixtureLink"))
        #expect(!host.isLoaded("FixtureLink"))
        #expect(try await host.call("FixtureLink", "count") == 1)
        #expect(host.state(of: "FixtureComponent")?.description == "running")
        #expect(host.isLoaded("FixtureLink"))
        #expect(host.isLoaded("FixturePerCall"))
        #expect(host.isAvailable("FixtureLink"))
        await host.stop()
        #expect(host.state(of: "FixtureComponent")?.description == "stopped")
        #expect(!host.isLoaded("FixtureLink"))
        #expect(!host.isAvailable("FixtureLink"))
        #expect(host.state(of: "Missing") == nil)
    }

    @Test("availability is read from manifests", arguments: Depth.allCases)
    func available(depth: Depth) throws {
        let host = try depth.host()
        let rows: [(String, String?, SelectorKind, Bool)] = [
            ("FixtureLink", nil, .object, true), ("FixtureLink", nil, .class, true),
            ("FixtureLink", "sum", .object, true), ("FixtureLink", "sum", .class, false),
            ("FixtureLink", "twin", .object, true), ("FixtureLink", "twin", .class, true),
            ("FixtureLink", "missing", .object, false), ("Missing", nil, .object, false),
            ("Missing", "sum", .object, false), ("", nil, .object, false), ("FixtureLink", "", .object, false),
            ("FixtureCounter", nil, .object, false), ("HostLink", "greet", .object, true),
            ("HostLink", "version", .class, true), ("HostLink", "version", .object, false),
        ]
        for (className, selector, kind, isAvailable) in rows {
            #expect(
                host.isAvailable(className, selector, kind: kind) == isAvailable,
                "\(className) \(selector ?? "-") \(kind)")
        }
        #expect(!host.isLoaded("FixtureLink"))
    }

    @Test("a component can be loaded ahead, and again without effect", arguments: Depth.allCases)
    func load(depth: Depth) async throws {
        let host = try depth.host()
        try await onThread {
            try host.load("FixtureComponent")
            try host.load("FixtureComponent")
        }
        #expect(host.isLoaded("FixtureLink"))
        let missing = await answer {
            try await onThread {
                try host.load("Missing")
                return .null
            }
        }
        #expect(missing.error?.code == .classNotFound)
        #expect(missing.error?.component == "Missing")
        #expect(missing.error?.message.contains("Missing") == true)
    }

    @Test("only failed components are tried again", arguments: Depth.allCases)
    func retry(depth: Depth) async throws {
        let host = try depth.host()
        #expect(!host.retry("Missing"))
        #expect(!host.retry("FixtureComponent"))
        _ = try await host.call("FixtureLink", "count")
        #expect(!host.retry("FixtureComponent"))
        #expect(try await host.call("FixtureLink", "count") == 2)
    }

    @Test("a file that is replaced before the first call is refused, and found by a rescan")
    func exchanged() async throws {
        let folder = try ProductFolder.plugin("FixtureComponent")
        let host = LinkHost(components: [folder.path], includesBuiltIn: false, options: .quiet)
        let file = folder.appending(path: "libFixtureComponent.so")
        let copy = folder.appending(path: "copy")
        try FileManager.default.copyItem(at: file, to: copy)
        try FileManager.default.removeItem(at: file)
        #expect(await CallForm.async.perform(host, "count").error?.cause?.code == .fileChanged)
        #expect(host.state(of: "FixtureComponent")?.description == "failed")
        #expect(!host.isAvailable("FixtureLink"))
        try FileManager.default.moveItem(at: copy, to: file)
        // On a retry it is still not the listed file; a rescan finds it.
        #expect(host.retry("FixtureComponent"))
        #expect(await CallForm.async.perform(host, "count").error?.code == .notLoaded)
        host.rescan()
        #expect(await CallForm.async.perform(host, "count").returnValue == 1)
    }

    @Test("the program's own classes are not listed as a component, and are loaded until the host stops")
    func hostClasses() async throws {
        let host = try Depth.builtIn.host()
        #expect(host.isLoaded("HostLink"))
        _ = try await host.call("HostLink", "version", kind: .class)
        #expect(host.components.filter { $0.name == "FixtureComponent" }.map(\.state.description) == ["available"])
        #expect(!host.components.contains { $0.name == "host" })
        #expect(host.isLoaded("HostLink"))
        await host.stop()
        #expect(!host.isLoaded("HostLink"))
        let unused = try Depth.builtIn.host()
        await unused.stop()
        #expect(!unused.isLoaded("HostLink"))
    }
}
