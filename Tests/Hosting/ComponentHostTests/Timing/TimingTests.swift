import ComponentHost
import ComponentKit
import FixtureContract
import Testing

@Suite("How long things take")
struct TimingTests {
    @Test("the times of starting, handling events and stopping are recorded", arguments: Depth.allCases)
    func times(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.recordsTimes = true
        let host = try depth.host(options: options)
        try host.load("FixtureComponent")
        let token = host.events.on(Changed.eventName) { _ in }
        for number in 1...3 { await host.events.deliver(Changed(value: number)) }
        await host.stop()
        func time(_ component: String, _ activity: ComponentTime.Activity) -> ComponentTime? {
            host.times.first { $0.component == component && $0.activity == activity }
        }
        #expect(time("FixtureComponent", .start)?.count == 1)
        #expect(time("FixtureComponent", .stop)?.count == 1)
        let handlers = try #require(time("FixtureComponent", .event(Changed.eventName)))
        // Its three handlers.
        #expect(handlers.count == 9)
        #expect(handlers.longest <= handlers.total && handlers.longest > .zero)
        #expect(time("", .event(Changed.eventName))?.count == 3)
        #expect(host.times.map(\.total) == host.times.map(\.total).sorted(by: >))
        withExtendedLifetime(token) {}
    }

    @Test("without the option, nothing is recorded")
    func off() async throws {
        let host = try Depth.builtIn.host()
        try host.load("FixtureComponent")
        await host.events.deliver(Changed(value: 1))
        await host.stop()
        #expect(host.times.isEmpty)
    }
}
