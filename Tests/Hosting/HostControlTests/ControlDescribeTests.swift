import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import HostControl

@Suite("The manifest of a class")
struct ControlDescribeTests {
    @Test("the answer is the manifest of the component with the class, or all without a class")
    func oneClass() async throws {
        try await ServedHost.with(["CGood", "CxxGood"]) { served in
            let names = try await served.client { client in
                var names: [[String]] = []
                for className in ["CGoodLink", "CxxGoodLink", "NotThere", nil] {
                    names.append(try await client.catalog(ofClass: className).entries.map(\.manifest.name))
                }
                return names
            }
            #expect(names == [["CGood"], ["CxxGood"], [], ["CGood", "CxxGood"]])
        }
    }

    @Test("a class that two files declare is that of the active version")
    func conflict() async throws {
        try await ServedHost.with(["TwinByHand", "TwinByMacro", "CGood"]) { served in
            let winner = served.host.catalog.entry(ofClass: "TwinLink")?.manifest.name
            let found = try await served.client { try await $0.catalog(ofClass: "TwinLink").entry(ofClass: "TwinLink") }
            #expect(winner != nil)
            #expect(found?.manifest.name == winner)
        }
    }

    @Test("a request without a class, as of earlier versions, is answered with all manifests")
    func earlierClient() async throws {
        #expect(ControlRequest(id: 7, .describe(className: nil)).payload == ["id": 7, "request": "describe"])
        #expect(
            ControlRequest(id: 7, .describe(className: "A")).payload
                == ["id": 7, "request": "describe", "class": "A"])
        try await ServedHost.with(["CGood", "CxxGood"]) { served in
            let client = try RawClient(served.socket)
            for (request, count) in [
                (["id": 1, "request": "describe"], 2), (["id": 2, "request": "describe", "class": "CGoodLink"], 1),
            ] as [(Payload, Int)] {
                try await client.send(request)
                let answer = try #require(try await client.receive())
                #expect(try answer.value("value").items().count == count)
            }
            try await client.send(["id": 3, "request": "describe", "class": 4])
            let refusal = try #require(try await client.receive())
            #expect(try refusal.value("refusal", "code").string() == "malformed")
        }
    }

    @Test("a host of an earlier version answers with all manifests, and the class is found in them")
    func earlierHost() async throws {
        let manifests = try await ServedHost.with(["CGood", "CxxGood"]) { $0.host.catalog.entries.map(\.manifest.json) }
        let directory = try TemporaryDirectory()
        let listener = try ControlListener(SocketPath(directory.path(of: "socket")))
        Thread.detachNewThread {
            listener.wait(-1)
            guard let client = listener.accept() else { return }
            _ = fcntl(client, F_SETFL, 0)
            var request = [UInt8](repeating: 0, count: 4096)
            let count = unsafe recv(client, &request, request.count, 0)
            let id = try? Payload(cbor: Array(request[4..<max(count, 4)]))["id"]
            let answer = (try? Payload.map([("id", id ?? .null), ("value", .array(manifests))]).cbor()) ?? []
            let frame = RawClient.frame(answer)
            _ = unsafe send(client, frame, frame.count, Int32(MSG_NOSIGNAL))
            _ = unsafe recv(client, &request, request.count, 0)
            close(client)
        }
        let entry = try await ControlClient.connected(to: listener.path) { client in
            try await client.catalog(ofClass: "CxxGoodLink").entry(ofClass: "CxxGoodLink")
        }
        #expect(entry?.manifest.name == "CxxGood")
        listener.remove()
    }
}
