import ComponentHost
import ComponentKit
import TestSupport
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

    @Test("are those that differ from a parameter in their bytes only, too")
    func spelling() async throws {
        let manifest = #"""
            {"name": "Kelvin", "version": "1.0.0", "classes": [{"name": "KelvinLink", "selectors": [
              {"name": "value", "kind": "class", "parameters": {"K": "Int"}}]}]}
            """#
        let text = manifest.replacing("\"", with: "\\\"").replacing("\n", with: "")
        let source = """
            #include "hslink.h"
            HSLINK_MANIFEST("\(text)")
            static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
                (void)context; (void)self; (void)payload;
                return hslink_return(call, hslink_int(1));
            }
            static const hslink_method methods[] = {{HSLINK_LITERAL("value"), HSLINK_CLASS_METHOD, 0, run, NULL}};
            static const hslink_class link_class = HSLINK_CLASS("KelvinLink", methods, NULL, NULL);
            static const hslink_class *const classes[] = {&link_class};
            static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Kelvin", "1.0.0", classes, NULL, NULL);
            HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
            """
        try await withPlugins { plugins async throws in
            try await plugins.compile("libKelvin.so", from: source)
            var options = HostOptions.quiet
            options.refusesUndeclaredKeys = true
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: options)
            #expect(try await host.call("KelvinLink", "value", ["K": 1], kind: .class) == 1)
            let error = await #expect(throws: LinkError.self) {
                _ = try await host.call("KelvinLink", "value", ["\u{212A}": 1], kind: .class)
            }
            #expect(error?.code == .payloadMismatch)
            await host.stop()
        }
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
