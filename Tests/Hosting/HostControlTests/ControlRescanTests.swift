import ComponentHost
import HostContract
import HostControl
import TestSupport
import Testing

@Suite("Rescans over the control socket")
struct ControlRescanTests {
    @Test("files added before the answer are found, and removed files are gone")
    func rescan() async throws {
        try await withPlugins("CGood") { plugins in
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false)
            let directory = try TemporaryDirectory()
            let server = try ControlServer(
                host, socket: directory.path(of: "control"), logger: ServedHost.quietLogger)
            let running = Task { try await server.run() }
            try plugins.add("CxxGood")
            try plugins.delete("libCGood.so")
            let names = try await ControlClient.connected(to: server.socket) { client in
                let former = try await client.list().components.map(\.name)
                try await client.rescan()
                return [former, try await client.list().components.map(\.name)]
            }
            #expect(names == [["CGood"], ["CxxGood"]])
            await server.stop(grace: .zero)
            try await running.value
            await host.stop(timeout: .seconds(300))
        }
    }
}
