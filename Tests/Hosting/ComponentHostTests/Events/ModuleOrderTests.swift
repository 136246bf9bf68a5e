import ComponentHost
import ComponentKit
import FixtureContract
import TestSupport
import Testing

/// What goes wrong in BeeHive, by its source and its reports of defects.
@Suite("Where module systems go wrong")
struct ModuleOrderTests {
    /// A class of the program that handles an event.
    @LinkClass
    fileprivate final class Listener {
        static let log = Collected<String>()

        init(_ context: ComponentContext) {}

        @On(priority: 5) func changed(_ event: Changed) { Self.log.add("program, 5") }
    }

    @Test("priorities count over files, built-in components, classes and closures of the program together")
    func merged() async throws {
        try await withPlugins("HandlesChanged") { (directory: PluginDirectory) async throws in
            let log = CollectedLog()
            let host = LinkHost(
                components: [directory.path], provides: [ProvidedClass(Listener.self)], options: log.options)
            try host.load("FixtureComponent")
            try host.load("HandlesChanged")
            // The component that is built in keeps its own list; see how long it is in between.
            for priority in [20, 6, 3, -3, -20] {
                host.events.on(Changed.self, priority: priority) { _ in
                    let told: [String] = try await host.call("EventLink", "told").value()
                    log.lines.add("closure, \(priority): \(told) \(Listener.log.all)")
                }
            }
            #expect(await host.events.deliver(Changed(value: 1)).handled == 11)
            #expect(
                log.lines.all.filter { $0.hasPrefix("closure") || $0.hasPrefix("file, ") } == [
                    "closure, 20: [] []",
                    "file, 7: 1",
                    #"closure, 6: ["soon 1"] []"#,
                    #"closure, 3: ["soon 1"] ["program, 5"]"#,
                    #"closure, -3: ["soon 1", "changed 1", "late 1"] ["program, 5"]"#,
                    "file, -7: 1",
                    #"closure, -20: ["soon 1", "changed 1", "late 1"] ["program, 5"]"#,
                ])
            await host.stop()
        }
    }

    @Test("a component that is found twice exists once, and the other file is listed with the reason")
    func twice() async throws {
        try await withPlugins("StartsWell") { (first: PluginDirectory) async throws in
            try await withPlugins("StartsWell") { (second: PluginDirectory) async throws in
                let log = CollectedLog()
                let host = LinkHost(
                    components: [first.path, second.path], includesBuiltIn: false, options: log.options)
                #expect(await host.start().started == ["StartsWell"])
                #expect(log.lines.all.filter { $0 == "StartsWell starts" }.count == 1)
                #expect(host.components.map(\.state.description) == ["running", "shadowed"])
                await host.stop()
                #expect(log.lines.all.filter { $0 == "StartsWell stops" }.count == 1)
            }
        }
    }

    @Test("the end is really told, in the reverse order of the start")
    func end() async throws {
        try await withPlugins("StartsWell", "StartsAfter", "StartsFirst") { (directory: PluginDirectory) async throws in
            let log = CollectedLog()
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: log.options)
            await host.start()
            #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
            let said = log.lines.all.filter { $0.hasSuffix(" starts") || $0.hasSuffix(" stops") }
            #expect(
                said == [
                    "StartsWell starts", "StartsAfter starts", "StartsFirst starts",
                    "StartsFirst stops", "StartsAfter stops", "StartsWell stops",
                ])
        }
    }

    @Test("an event carries all its values to everybody, whatever was posted since")
    func context() async throws {
        let host = try Depth.builtIn.host()
        let seen = Collected<String>()
        for name in ["a", "b"] { host.events.on(URLOpened.self) { event in seen.add("\(name) \(event.url)") } }
        await withTaskGroup { group in
            for number in 0..<50 {
                group.addTask { _ = await host.events.deliver(URLOpened(url: "x://\(number)")) }
            }
        }
        #expect(seen.all.sorted() == (0..<50).flatMap { ["a x://\($0)", "b x://\($0)"] }.sorted())
        await host.stop()
    }

    @Test("what is removed is gone, of several the one that was meant, and can be added again")
    func removal() async throws {
        let host = try Depth.builtIn.host()
        let seen = Collected<Int>()
        var registrations = (0..<4).map { number in host.events.on("a/b") { _ in seen.add(number) } }
        await registrations.remove(at: 1).remove()
        #expect(await host.events.deliver("a/b", .null).handled == 3)
        #expect(seen.all == [0, 2, 3])
        registrations.append(host.events.on("a/b") { _ in seen.add(1) })
        #expect(await host.events.deliver("a/b", .null).handled == 4)
        #expect(seen.all == [0, 2, 3, 0, 2, 3, 1])
        for registration in registrations { await registration.remove() }
        #expect(await host.events.deliver("a/b", .null).handled == 0)
        await host.stop()
    }
}
