import ComponentHost
import ComponentKit
import TestSupport
import Testing

@Suite("What macros write is what one would write by hand")
struct TwinTests {
    private static let twins = ["TwinByMacro", "TwinByHand"]

    private func withTwins<Value: Equatable>(_ body: (LinkHost) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for twin in Self.twins {
            try await withPlugins(twin) { directory in
                let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
                values.append(try await body(host))
                await host.stop()
            }
        }
        return values
    }

    @Test("the manifest is the same but for the module")
    func manifests() async throws {
        let values = try await withTwins { host in
            let component = try #require(host.components.first)
            return try component.manifest.json.json().replacing("TwinByMacro", with: "TwinByHand")
        }
        #expect(values[0] == values[1])
        #expect(values[0].contains("\"second\":\"Int = 10\""))
    }

    struct Call: Sendable {
        let selector: String
        var payload: Payload = .null
        var kind = SelectorKind.object
    }

    @Test(
        "calls answer the same, errors too",
        arguments: [
            Call(selector: "sum", payload: ["first": 1, "second": 2]), Call(selector: "sum", payload: ["first": 1]),
            Call(selector: "sum", payload: ["second": 1]), Call(selector: "sum", payload: ["first": "1"]),
            Call(selector: "sum"), Call(selector: "sum", payload: [1]), Call(selector: "greet"),
            Call(selector: "greet", payload: ["name": "Ada"]), Call(selector: "greet", payload: ["name": nil]),
            Call(selector: "greet", payload: ["name": 3]), Call(selector: "formats", kind: .class),
            Call(selector: "formats"), Call(selector: "fail"), Call(selector: "missing"),
        ])
    func calls(_ call: Call) async throws {
        let values = try await withTwins { host in
            do throws(LinkError) {
                return "\(try await host.call("TwinLink", call.selector, call.payload, kind: call.kind))"
            } catch {
                return "\(error.code) \(error)"
            }
        }
        #expect(values[0] == values[1])
    }
}
