import ComponentHost
import ComponentKit
import Foundation
import HostControl
import TestSupport
import Testing

@Suite("Stopping a control server")
struct ControlStopTests {
    @Test("calls in flight may end, new calls and new clients are refused")
    func grace() async throws {
        try await ServedHost.with(["FixtureComponent", "CGood"]) { served in
            try await served.client { client in
                let call = Task { try await client.value("WhoseLink", "hold", kind: .object) }
                let hasBegun = await holds { try await served.host.call("WhoseLink", "heldCount") == 1 }
                #expect(hasBegun)
                #expect(served.server.callsInFlight == 1)
                async let stop: Void = served.server.stop(grace: .seconds(300))
                let isGone = await holds { !FileManager.default.fileExists(atPath: served.socket) }
                #expect(isGone)
                let refused = try await client.failure("CGoodLink", "echo")
                #expect(refused?.code == .stopped)
                let late = await #expect(throws: ControlError.self) { try await served.client { try await $0.list() } }
                #expect(late?.code == .noSocket)
                #expect(try await served.host.call("WhoseLink", "letGo") == 1)
                #expect(try await call.value == "nobody")
                await stop
                #expect(served.server.cancelledCalls == 0)
            }
        }
    }

    @Test("calls that do not end are cancelled and answered")
    func cancelled() async throws {
        try await ServedHost.with(["NeverReplies"]) { served in
            try await served.client { client in
                let calls = (0..<5).map { _ in Task { try await client.failure("NeverRepliesLink", "run") } }
                let haveBegun = await holds { served.server.callsInFlight == 5 }
                #expect(haveBegun)
                await served.server.stop(grace: .milliseconds(50))
                #expect(served.server.cancelledCalls == 5)
                for call in calls {
                    let failure = try await call.value
                    #expect(failure?.code == .cancelled)
                }
                let end = await #expect(throws: ControlError.self) { try await client.list() }
                #expect(end?.code == .connectionLost)
            }
        }
    }

    @Test("long answers are sent completely before the connection is closed")
    func longAnswers() async throws {
        try await ServedHost.with(["CGood"]) { served in
            let raw = try RawClient(served.socket)
            let bytes = [UInt8](repeating: 3, count: 8 << 20)
            try await raw.send([
                "id": 1, "request": "call", "class": "CGoodLink", "selector": "echo", "kind": "class",
                "payload": .bytes(bytes),
            ])
            // The call has ended; its answer is larger than the buffer of a socket that is not read.
            let isBeingWritten = await holds { raw.hasUnreadBytes }
            #expect(isBeingWritten)
            async let stop: Void = served.server.stop(grace: .seconds(300))
            let isGone = await holds { !FileManager.default.fileExists(atPath: served.socket) }
            #expect(isGone)
            let answer = try await raw.receive()
            #expect(try answer?.value("value").bytes() == bytes)
            #expect(try await raw.receive() == nil)
            await stop
        }
    }

    @Test("a server that is stopped before it runs does not run")
    func before() async throws {
        try await withPlugins { plugins in
            let directory = try TemporaryDirectory()
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false)
            let server = try ControlServer(
                host, socket: directory.path(of: "s"), logger: ServedHost.quietLogger)
            await server.stop(grace: .zero)
            try await server.run()
            #expect(!FileManager.default.fileExists(atPath: server.socket))
        }
    }
}
