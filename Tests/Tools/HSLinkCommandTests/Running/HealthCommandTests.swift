import Foundation
import TestSupport
import Testing

@Suite("hslink health")
struct HealthCommandTests {
    @Test("a running host answers and is ready")
    func ready() async throws {
        try await withPlugins("StartsWell") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            #expect(try await hslink("health", "--host", host.socket, "--timeout", "60") == printed("alive"))
            // The line that the test waits for is written after the start.
            #expect(try await hslink("health", "--host", host.socket, "--ready", "--timeout", "60") == printed("ready"))
            #expect(await host.end() == 0)
            let dead = try await hslink("health", "--host", host.socket)
            #expect(dead.status == 1)
            #expect(dead.standardError.contains(host.socket), "\(dead)")
        }
    }

    @Test("a host whose components do not all start is alive, and not ready")
    func notReady() async throws {
        try await withPlugins("StartsWell", "StartsBadly") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            #expect(try await hslink("health", "--host", host.socket, "--timeout", "60") == printed("alive"))
            #expect(
                try await hslink("health", "--host", host.socket, "--ready", "--timeout", "60")
                    == failed("Error: not ready: StartsBadly cannot start; 'hslink list --host SOCKET' says why"))
            #expect(await host.end() == 0)
        }
    }

    @Test("a host that does not answer in time is not alive")
    func held() async throws {
        try await withPlugins { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            host.signal(SIGSTOP)
            let run = try await hslink("health", "--host", host.socket, "--timeout", "0.1")
            #expect(run.status == 1)
            #expect(run.standardError.contains("the host did not answer in time"), "\(run)")
            host.signal(SIGCONT)
            #expect(await host.end() == 0)
        }
    }

    @Test("a wrong command line is an error", arguments: [["--timeout", "0"], ["--timeout", "soon"], ["extra"]])
    func usage(arguments: [String]) async throws {
        #expect(try await hslink(["health", "--host", "socket"] + arguments).status == 64)
    }
}
