import Foundation
import TestSupport
import Testing

@Suite("hslink events, and hslink run --strict")
struct EventCommandTests {
    @Test("events lists who posts and who handles each event, without loading anything")
    func listing() async throws {
        try await withPlugins("FixtureComponent") { plugins async throws in
            let run = try await hslink("events", "--plugins", plugins.path)
            #expect(run.status == 0)
            let lines = run.standardOutput.split(separator: "\n").map(String.init)
            #expect(
                lines[0].split(separator: " ") == [
                    "EVENT", "POSTED", "BY", "HANDLED", "BY", "COMPONENT", "LOADS", "PRIORITY",
                ])
            for words in [
                ["org.hslink.fixture/woken", "FixtureComponent", "EventLink.wakes", "FixtureComponent", "yes", "0"],
                ["EventLink.changedLate", "FixtureComponent", "-1"],
                ["hslink.host/started", "host", "EventLink.started", "FixtureComponent", "0"],
                ["org.hslink.fixture/named:", "no", "component", "posts", "it"],
            ] {
                #expect(lines.contains { $0.split(separator: " ").map(String.init) == words }, "\(words): \(lines)")
            }
            let json = try await hslink("events", "--json", "--plugins", plugins.path)
            let object = try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8)) as? [String: Any]
            #expect((object?["events"] as? [Any])?.isEmpty == false)
            let running = try await RunningHost.start(["--plugins", plugins.path])
            #expect(try await hslink("events", "--host", running.socket) == run)
            #expect(await running.end() == 0)
        }
        let missing = try await hslink("events", "--plugins", "/nonexistent")
        #expect(missing.status == 1)
    }

    @Test("a host ends if a component that must start with it cannot, only if it is strict")
    func strict() async throws {
        try await withPlugins("StartsWell", "StartsBadly") { plugins async throws in
            let run = try await hslink("run", "--strict", "--plugins", plugins.path, "--control", "none")
            #expect(run.status == 1)
            #expect(run.standardError.contains("StartsBadly cannot start: "), "\(run.standardError)")
            #expect(run.standardError.contains("the licence has expired"), "\(run.standardError)")
            let running = try await RunningHost.start(["--plugins", plugins.path])
            let listing = try await hslink("list", "--host", running.socket)
            #expect(listing.standardOutput.contains("StartsWell"))
            #expect(await running.end() == 0)
        }
    }
}
