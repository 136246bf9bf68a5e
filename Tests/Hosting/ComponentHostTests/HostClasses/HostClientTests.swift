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
            let unasked = try await host.call("hslink.Schemas", "all", kind: .class)
            #expect(try unasked.value(as: MethodSchemas.self) == schemas)
        }
    }

    @Test("list routes, counters and the configuration")
    func lists() async throws {
        try await GoldenComponent.withHost { host in
            let list = try await host.service(HostRoutesServiceClient.self).routes()
            #expect(
                list.routes.map(\.pattern) == [
                    "/item/:id", "golden://bare", "golden://item/:id", "golden://item/first",
                ])
            #expect(list.routes.map(\.class) == ["GoldenLink", "", "GoldenLink", "GoldenLink"])
            #expect(list.routes.map(\.kind) == ["object", "object", "object", "class"])
            #expect(list.routes.map(\.public) == [false, false, true, false])
            #expect(list.routes.map(\.priority) == [0, 0, 5, 0])
            #expect(list.routes.allSatisfy { $0.available == true })
            #expect(list.refused.map(\.selector) == ["second"])
            let report = try await host.service(HostConfigurationServiceClient.self).sections()
            #expect(report.environment == "stage" && report.error == nil && report.warnings.count == 1)
            let keys = report.sections.flatMap(\.keys)
            #expect(keys.map(\.key) == ["address", "limit", "token", "unread"])
            let values: [Payload?] = ["here", .none, .none, .none]
            #expect(keys.map(\.value) == values)
            #expect(keys.map(\.secret) == [false, false, true, false])
            #expect(keys.map { $0.type == nil } == [false, false, false, true])
            let counters = try host.service(HostCountersServiceClient.self)
            let rows = try await counters.all().counters
            #expect(rows.first { $0.class == "hslink.Routes" }?.kind == "class")
            #expect(rows.first { $0.class == "hslink.Routes" }?.calls == 1)
            #expect(try await counters.prometheus().text.contains("hslink_calls_total"))
        }
    }

    @Test("are found by components, too, and no list of services names them")
    func found() async throws {
        let host = try Depth.file.host()
        let modules = try await host.link.service(HostPagesServiceClient.self).modules().modules
        #expect(modules.contains { $0.name == "fixture.greeting" })
        #expect(!host.services.contains { $0.service.hasPrefix("org.hslink.host") })
        for name in ["configuration", "counters", "events", "pages", "resources", "routes", "schemas"] {
            #expect(host.providers(of: "org.hslink.host.\(name)/1").map(\.component) == ["host"], "\(name)")
        }
        #expect(host.isAvailable("hslink.Pages", "modules", kind: .class))
        #expect(!host.isAvailable("hslink.Pages", "modules"))
        await host.stop()
    }
}
