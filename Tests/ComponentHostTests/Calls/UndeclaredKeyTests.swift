import ComponentHost
import ComponentKit
import Testing

@Suite("Undeclared keys")
struct UndeclaredKeyTests {
    private let misspelt: Payload = ["times": 2, "nam": "Ada"]

    @Test("are ignored, because a newer caller may send more", arguments: Depth.allCases)
    func passedOver(depth: Depth) async throws {
        let host = try depth.host()
        #expect(try await host.call("TypedLink", "greet", misspelt) == ["Hello, you!", "Hello, you!"])
        await host.stop()
    }

    @Test("are refused if the host's options say so, in every form of a call", arguments: Depth.allCases)
    func refused(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.refusesUndeclaredKeys = true
        let host = try depth.host(options: options)
        let bound = try await onThread { try host.bind("TypedLink", "greet") }
        let calls: [() async throws -> Payload] = [
            { try await host.call("TypedLink", "greet", self.misspelt) },
            { try await onThread { try host.callAndWait("TypedLink", "greet", self.misspelt) } },
            { try await bound.call(self.misspelt) },
        ]
        for call in calls {
            let error = await #expect(throws: LinkError.self) { _ = try await call() }
            #expect(error?.code == .payloadMismatch)
            #expect(error?.message == #"the selector has no parameter "nam"; did you mean name?"#)
            #expect(error?.selector == "greet")
        }
        let fitting: Payload = ["times": 1, "name": "Ada"]
        #expect(try await host.call("TypedLink", "greet", fitting) == ["Hello, Ada!"])
        #expect(try await bound.call(fitting) == ["Hello, Ada!"])
        await host.stop()
    }

    @Test("are accepted by a selector that declares no parameters, which may read any key")
    func undeclared() async throws {
        var options = HostOptions.quiet
        options.refusesUndeclaredKeys = true
        try await withHost(["CGood"], options: options) { host, _ async throws in
            #expect(try await host.call("CGoodLink", "echo", ["any": 1], kind: .class) == ["any": 1])
        }
    }
}
