import Foundation
import TestSupport
import Testing

@testable import ComponentHost
@testable import ComponentKit

@Suite("The lifetime of a host")
struct HostLifetimeTests {
    @Test("a released host stops", arguments: Depth.allCases)
    func letGo(depth: Depth) async throws {
        var host: LinkHost? = try depth.host()
        let link = try #require(host).link
        let answers = Collected<Answer>()
        link.call("FixtureLink", "keep") { answers.add($0) }
        #expect(try await link.call("FixtureLink", "count") == 1)
        host = nil
        #expect(await answers.first(1).first?.error?.code == .cancelled)
        let after = await answer { try await link.call("FixtureLink", "count") }
        #expect(after.error?.code == .stopped)
    }

    @Test("a released host does not stop a component in which a thread is running", arguments: Depth.allCases)
    func letGoWhileInside(depth: Depth) async throws {
        let valve = Valve()
        let answers = Collected<Answer>()
        do {
            let host = try depth.host()
            let link = host.link
            let closure = valve.closure(link)
            Thread.detachNewThread { link.call("FixtureLink", "apply", ["closure": closure]) { answers.add($0) } }
            #expect(await holds { valve.arrivals == 1 })
        }
        valve.open()
        #expect(await answers.first(1).first?.returnValue == "passed")
    }

    @Test("a host's resources are freed with it", arguments: Depth.allCases, [false, true])
    func freed(depth: Depth, isLoaded: Bool) async throws {
        weak var core: HostCore?
        do {
            let host = try depth.host()
            core = host.core
            if isLoaded { #expect(try await host.call("FixtureLink", "count") == 1) }
            await host.stop()
        }
        let isFreed = await holds { core == nil }
        #expect(isFreed)
    }

    @Test("an instance releases its component's link to the host", arguments: Depth.allCases)
    func instanceFreed(depth: Depth) async throws {
        let host = try depth.host(provides: [ProvidedClass(HostLink.self)])
        weak var token: Token?
        do {
            let kept = Token()
            token = kept
            let closure = host.link.closure { [kept] _ in kept.text }
            #expect(try await host.call("FixtureLink", "apply", ["closure": closure]) == "token")
        }
        #expect(await holds { token == nil })
        await host.stop()
    }

    @Test("two hosts share no state", arguments: Depth.allCases)
    func twoHosts(depth: Depth) async throws {
        let first = try depth.host()
        let second = try depth.host()
        #expect(try await first.call("FixtureLink", "count") == 1)
        #expect(try await first.call("FixtureLink", "count") == 2)
        #expect(try await second.call("FixtureLink", "count") == 1)
        await first.stop()
        #expect(try await second.call("FixtureLink", "count") == 2)
        await second.stop()
    }

    @Test("many hosts are created and released")
    func manyHosts() async throws {
        for _ in 0..<50 {
            let host = try Depth.builtIn.host()
            #expect(try await host.call("FixtureLink", "count") == 1)
        }
    }
}
