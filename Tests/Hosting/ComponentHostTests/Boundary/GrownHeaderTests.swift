import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@Suite("A component built with a header in which every struct has grown")
struct GrownHeaderTests {
    /// The header's folder, and that of CGood.
    private static let include = BuiltProducts.packageDirectory.appending(path: "Sources/Boundary/CHSLink/include")
    private static let cGood = BuiltProducts.packageDirectory.appending(path: "Tests/Fixtures/CGood")

    /// The structs that may grow: those with a constant for their size in 1.0.
    private static func growing() throws -> [String] {
        let layout = try String(contentsOf: include.appending(path: "hslink_layout.h"), encoding: .utf8)
        return layout.matches(of: /HSLINK_([A-Z_]+)_SIZE_1_0 =/).map { "hslink_\($0.1.lowercased())" }
    }

    /// Copies the header into `folder`, with a member `grown` at the end of each struct that may grow.
    private static func growHeader(into folder: URL) throws {
        var missing = Set(try growing())
        for file in try FileManager.default.contentsOfDirectory(at: include, includingPropertiesForKeys: nil)
        where file.pathExtension == "h" {
            var text = try String(contentsOf: file, encoding: .utf8)
            for name in missing {
                guard let begin = text.range(of: "struct \(name) {") else { continue }
                let end = try #require(text[begin.upperBound...].range(of: "\n}"))
                text.insert(contentsOf: "\n    uint64_t grown[3];", at: end.lowerBound)
                missing.remove(name)
            }
            try Data(text.utf8).write(to: folder.appending(path: file.lastPathComponent))
        }
        #expect(missing.isEmpty)
    }

    private static func compile(_ sources: [URL], _ header: URL, to library: URL) throws {
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments =
            ["clang", "-std=c11", "-shared", "-fPIC", "-fvisibility=hidden", "-O1", "-I", header.path]
            + ["-I", BuiltProducts.packageDirectory.appending(path: "Tests/Fixtures/Common").path]
            + sources.map(\.path) + ["-o", library.path, "-lpthread"]
        try compiler.run()
        compiler.waitUntilExit()
        #expect(compiler.terminationStatus == 0)
    }

    /// A component that reports whether its host's structs and its own structs have grown.
    private static let asking = """
        #include "hslink.h"
        HSLINK_MANIFEST("{\\"name\\": \\"Asking\\", \\"version\\": \\"1.0.0\\", \\"classes\\": [{\\"name\\": \\"AskingLink\\","
                        "\\"selectors\\": [{\\"name\\": \\"ask\\", \\"kind\\": \\"class\\"}]}]}")
        static const hslink_descriptor descriptor;
        static int32_t ask(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
            const hslink_host *host = call->component;
            const hslink_object_type *type = hslink_map_get(payload, "object")->as.object->type;
            const hslink_host_data *data = host->get_extension(host, hslink_string_c(HSLINK_DATA));
            const hslink_value all[] = {
                hslink_int(HSLINK_HAS(host, end_work)), hslink_int(HSLINK_HAS(host, grown)),
                hslink_int(HSLINK_HAS(call, carried)), hslink_int(HSLINK_HAS(call, grown)),
                hslink_int(HSLINK_HAS(call->reply.ops, on_cancel)), hslink_int(HSLINK_HAS(call->reply.ops, grown)),
                hslink_int(HSLINK_HAS(type, get_extension)), hslink_int(HSLINK_HAS(type, grown)),
                hslink_int(HSLINK_HAS(data, directory)), hslink_int(HSLINK_HAS(data, grown)),
                hslink_int(HSLINK_HAS(&descriptor, get_extension)), hslink_int(HSLINK_HAS(&descriptor, grown)),
            };
            return hslink_return(call, hslink_array(all, 12));
        }
        static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                              const hslink_failure *failure) {
            *component = (void *)host;
            return 0;
        }
        static const hslink_method methods[] = {{HSLINK_LITERAL("ask"), HSLINK_CLASS_METHOD, 0, ask, NULL}};
        static const hslink_class asking = HSLINK_CLASS("AskingLink", methods, NULL, NULL);
        static const hslink_class *const classes[] = {&asking};
        static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Asking", "1.0.0", classes, create, NULL);
        HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
        """

    @Test("runs on this host as one built with this header", arguments: [true, false])
    func runs(isGrown: Bool) async throws {
        let folder = try TemporaryDirectory()
        var header = GrownHeaderTests.include
        if isGrown {
            header = URL(filePath: try folder.makeDirectory("include"))
            try GrownHeaderTests.growHeader(into: header)
        }
        let library = URL(filePath: folder.path(of: "libCGood.so"))
        let sources = try FileManager.default.contentsOfDirectory(
            at: GrownHeaderTests.cGood, includingPropertiesForKeys: nil)
        try GrownHeaderTests.compile(sources.filter { $0.pathExtension == "c" }, header, to: library)
        try await withHost([], provides: [ProvidedClass(HostLink.self)]) { host, directory async throws in
            try directory.add(file: library)
            host.rescan()
            for row in FixtureCase.cGood {
                row.check(await host.blockingCall(row.className, row.selector, row.payload, kind: row.kind))
            }
            let error = try #require(await host.blockingCall("CGoodLink", "fail").error)
            #expect(error.number == 42)
            #expect(error.details == ["reason": "asked to", "attempt": 3])
            #expect(error.cause?.message == "the cause of the failure")
            let counter = try await host.value("CGoodLink", "makeCounter").object()
            #expect(try await onThread { try counter.callAndWait("increment") } == 1)
            #expect(try await host.value("CGoodLink", "count", kind: .object) == 1)
            let closure = host.link.closure { argument in try argument.int() * 2 }
            for selector in ["apply", "applyLater"] {
                #expect(try await host.value("CGoodLink", selector, ["closure": closure, "argument": 21]) == 42)
            }
            for selector in ["viaHost", "viaBound"] {
                let request: Payload = ["class": "CGoodLink", "selector": "sum", "payload": ["a": 1, "b": 2]]
                #expect(try await host.value("CGoodLink", selector, request) == 3)
            }
        }
    }

    @Test("reads only the members that its host's structs have", arguments: [true, false])
    func asks(isGrown: Bool) async throws {
        let folder = try TemporaryDirectory()
        var header = GrownHeaderTests.include
        var source = GrownHeaderTests.asking
        if isGrown {
            header = URL(filePath: try folder.makeDirectory("include"))
            try GrownHeaderTests.growHeader(into: header)
        } else {
            source.replace(", grown)", with: ", struct_size)")
        }
        try folder.write(source, to: "asking.c")
        let library = URL(filePath: folder.path(of: "libAsking.so"))
        try GrownHeaderTests.compile([URL(filePath: folder.path(of: "asking.c"))], header, to: library)
        try await withHost([]) { host, directory async throws in
            try directory.add(file: library)
            host.rescan()
            let value = try await host.value("AskingLink", "ask", ["object": host.link.closure { _ in 1 }])
            #expect(value == (isGrown ? [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1] : [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]))
        }
    }
}
