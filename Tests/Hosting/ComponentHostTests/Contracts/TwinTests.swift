import ComponentHost
import ComponentKit
import TestSupport
import Testing

@Suite("Macros generate the same as handwritten code")
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

    @Test("the manifest is the same as a handwritten one in C")
    func manifest() async throws {
        let text = #"""
            {
              "name": "Twin", "version": "1.0.0", "layer": "business", "summary": "Written with macros.",
              "module": "TwinByMacro", "classes": [
                { "name": "TwinLink", "instances": "perCall", "summary": "Answers.", "selectors": [
                    { "name": "sum", "parameters": { "first": "Int", "second": "Int = 10" }, "result": "Int",
                      "summary": "Adds up." },
                    { "name": "greet", "parameters": { "name": "String?" }, "result": "String", "async": true },
                    { "name": "formats", "kind": "class", "result": "[String]", "quick": true },
                    { "name": "fail" } ] } ],
              "requires": [{ "component": "Other", "version": ">=1.0.0", "optional": true }]
            }
            """#
        let byHand = try Manifest(Payload(json: text))
        try await withPlugins("TwinByMacro") { directory in
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            let byMacro = try #require(host.components.first).manifest
            #expect(try byHand.json.json() == byMacro.json.json())
            await host.stop()
        }
    }

    @Test("an author's rows are in the manifest, without their parameters")
    func rows() async throws {
        try await withPlugins("TwinByHand") { directory in
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            let selectors = try #require(host.components.first?.manifest.classDeclaration("TwinLink")?.selectors)
            #expect(selectors.map(\.name) == ["sum", "greet", "formats", "fail"])
            #expect(selectors.map(\.kind) == [.object, .object, .class, .object])
            #expect(selectors.map(\.isAsync) == [false, true, false, false])
            #expect(selectors.map(\.isQuick) == [false, false, true, false])
            await host.stop()
        }
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
