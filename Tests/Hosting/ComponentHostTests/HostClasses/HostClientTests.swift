import ComponentHost
import ComponentKit
import HostContract
import Testing

@Suite("Generated clients of the host's own classes")
struct HostClientTests {
    @Test("call class methods, and read what these leave out")
    func clients() async throws {
        try await GoldenComponent.withHost { host in
            let pages = try host.service(HostPagesServiceClient.self)
            let modules = try await pages.modules().modules
            #expect(modules.map(\.name) == ["golden.greeting", "golden.isHome"])
            #expect(modules.map(\.kind) == ["object", "class"])
            #expect(modules.map(\.condition) == [false, true])
            #expect(modules.map(\.data.count) == [3, 0])
            #expect(modules.allSatisfy { $0.problem == nil })
            let problems = try await pages.check(module: "golden.greeting", data: ["name": "x", "times": "y"]).problems
            #expect(problems == [PageDataProblem(path: ["times"], expected: "an integer", found: "string")])
            let missing = try await pages.check(module: "golden.greeting", data: nil).problems
            #expect(missing == [PageDataProblem(path: [], expected: "Greeting", found: "nothing")])
            let events = try host.service(HostEventsServiceClient.self)
            let rows = try await events.events().events
            #expect(rows.map(\.name) == ["com.example.golden/done", "com.example.golden/lost"])
            #expect(rows.map(\.problems.count) == [0, 1])
            #expect(rows.flatMap(\.handlers).map(\.priority) == [3, 0])
            #expect(try await events.last(event: "com.example.golden/done") == nil)
            _ = await host.events.deliver("com.example.golden/done", ["value": 1], sticky: true)
            #expect(try await events.last(event: "com.example.golden/done") == StickyEvent(value: ["value": 1]))
            let files = try host.service(HostResourcesServiceClient.self)
            #expect(try await files.read(component: "Golden", name: "a.txt").bytes == Array("abc".utf8))
            await #expect(throws: (any Error).self) { try await files.read(component: "Golden", name: "b.txt") }
            #expect(try await files.dataFile(component: "Golden", path: "a/b").path.hasSuffix("/a/b"))
            let schemas = try await host.service(HostSchemasServiceClient.self).all(references: nil)
            #expect(schemas.definitions.keys.sorted() == ["Golden.Greeting"])
            #expect(schemas.methods.map(\.summary) == [nil, "Opens one.", nil])
            #expect(schemas.methods[1].result == ["$ref": "#/$defs/Golden.Greeting"])
        }
    }

    @Test("are found by components, too, and no list of services names them")
    func found() async throws {
        let host = try Depth.file.host()
        let modules = try await host.link.service(HostPagesServiceClient.self).modules().modules
        #expect(modules.contains { $0.name == "fixture.greeting" })
        #expect(!host.services.contains { $0.service.hasPrefix("org.hslink.host") })
        for name in ["events", "pages", "resources", "schemas"] {
            #expect(host.providers(of: "org.hslink.host.\(name)/1").map(\.component) == ["host"], "\(name)")
        }
        #expect(host.isAvailable("hslink.Pages", "modules", kind: .class))
        #expect(!host.isAvailable("hslink.Pages", "modules"))
        await host.stop()
    }
}
