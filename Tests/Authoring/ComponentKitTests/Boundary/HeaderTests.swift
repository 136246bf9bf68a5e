import CHSLink
import ComponentKit
import Foundation
import Glibc
import Testing

@Suite("hslink.h for other languages")
struct HeaderTests {
    static let strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]

    static let languages: [[String]] = [
        ["gcc", "-x", "c", "-std=c11"], ["clang", "-x", "c", "-std=c11"], ["g++", "-x", "c++", "-std=c++17"],
        ["clang++", "-x", "c++", "-std=c++17"], ["gcc", "-x", "c", "-std=c17"], ["g++", "-x", "c++", "-std=c++20"],
    ]

    @Test("compiles alone, without a warning", arguments: languages)
    func alone(language: [String]) throws {
        let compiler = try Compiler()
        defer { compiler.remove() }
        try compiler.write("#include \"hslink.h\"\n", to: "alone")
        let result = try compiler.run(
            language + HeaderTests.strict + ["-I", Compiler.include.path, "-fsyntax-only", "alone"])
        #expect(result.output == "")
        #expect(result.status == 0)
    }

    @Test("compiles when included twice, and in two files of one program", arguments: languages)
    func twice(language: [String]) throws {
        let compiler = try Compiler()
        defer { compiler.remove() }
        let include = "#include \"hslink.h\"\n#include \"hslink.h\"\n"
        try compiler.write(
            include + "const void *begin(void);\nconst void *begin(void) { return hslink_records_begin(); }\n",
            to: "one")
        try compiler.write(
            include + "const void *begin(void);\nint main(void) { return begin() == hslink_records_end() ? 0 : 1; }\n",
            to: "two")
        let result = try compiler.run(
            language + HeaderTests.strict + ["-I", Compiler.include.path, "one", "two", "-o", "program"])
        #expect(result.output == "")
        #expect(result.status == 0)
        // A program without records: both ends are NULL.
        #expect(try compiler.run(["./program"]).status == 0)
    }

    @Test("has the constants that Swift cannot import", arguments: languages)
    func constants(language: [String]) throws {
        let compiler = try Compiler()
        defer { compiler.remove() }
        try compiler.write(
            """
            #include "hslink.h"
            HSLINK_ASSERT(HSLINK_MAGIC == 0x0A0D4B4E494C5348, "magic");
            int main(void) {
                uint64_t magic = HSLINK_MAGIC;
                return memcmp(&magic, "HSLINK\\r\\n", 8);
            }
            """, to: "constants")
        let result = try compiler.run(
            language + HeaderTests.strict + ["-I", Compiler.include.path, "constants", "-o", "program"])
        #expect(result.output == "")
        #expect(try compiler.run(["./program"]).status == 0)
    }

    @Test(
        "refuses other machines with a message",
        arguments: [["gcc", "-U__LP64__"], ["gcc", "-U__BYTE_ORDER__", "-D__BYTE_ORDER__=4321"]])
    func otherMachines(command: [String]) throws {
        let compiler = try Compiler()
        defer { compiler.remove() }
        try compiler.write("#include \"hslink.h\"\n", to: "alone.c")
        let result = try compiler.run(command + ["-I", Compiler.include.path, "-fsyntax-only", "alone.c"])
        #expect(result.status != 0)
        #expect(result.output.contains("64-bit little-endian"))
    }

    @Test(
        "parts are not included alone",
        arguments: [
            "hslink_values.h", "hslink_layout.h", "hslink_host.h", "hslink_extensions.h", "hslink_data.h",
            "hslink_manifest.h", "hslink_helpers.h", "hslink_resources.h", "hslink_configuration.h",
        ])
    func parts(part: String) throws {
        let compiler = try Compiler()
        defer { compiler.remove() }
        try compiler.write("#include \"\(part)\"\n", to: "alone.c")
        let result = try compiler.run(["gcc", "-I", Compiler.include.path, "-fsyntax-only", "alone.c"])
        #expect(result.status != 0)
        #expect(result.output.contains("include hslink.h, which includes this file"))
    }

    /// The example of the opening comment: its code, and the command that compiles it.
    private func example() throws -> (code: String, command: [String]) {
        let header = try String(contentsOf: Compiler.include.appending(path: "hslink.h"), encoding: .utf8)
        let comment = try #require(header.split(separator: "*/").first)
        let prefix = " *     "
        let lines = comment.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { $0.hasPrefix(prefix) || $0 == " *" }.map { String($0.dropFirst(prefix.count)) }
        let begin = try #require(lines.firstIndex { $0.hasPrefix("#include") })
        let end = try #require(lines.firstIndex { $0.hasPrefix("cc ") })
        return (lines[begin..<end].joined(separator: "\n") + "\n", lines[end].split(separator: " ").map(String.init))
    }

    @Test("its example compiles with its own command, and answers", arguments: ["cc", "gcc", "clang"])
    func exampleRuns(name: String) throws {
        let compiler = try Compiler()
        defer { compiler.remove() }
        let (code, command) = try example()
        #expect(code.contains("HSLINK_EXPORT const hslink_descriptor *hslink_component(void)"))
        try compiler.write(code, to: "greeter.c")
        let result = try compiler.run(
            [name] + command.dropFirst() + HeaderTests.strict + ["-I", Compiler.include.path])
        #expect(result.output == "")
        #expect(result.status == 0)
        let path = compiler.folder.appending(path: "libGreeter.so").path
        let handle = try unsafe #require(unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL))
        let symbol = try unsafe #require(unsafe dlsym(handle, "hslink_component"))
        let entry = unsafe unsafeBitCast(symbol, to: hslink_component_function.self)
        let descriptor = try unsafe #require(unsafe entry()).pointee
        #expect(unsafe String(descriptor.name) == "Greeter")
        #expect(unsafe String(descriptor.version) == "1.0.0")
        #expect(unsafe descriptor.class_count == 1)
        let linkClass = try unsafe #require(unsafe descriptor.classes?.pointee.pointee)
        let method = try unsafe #require(unsafe linkClass.methods?.pointee)
        #expect(unsafe String(method.name) == "hello")
        #expect(unsafe answer(of: method, ["name": "Ada"]) == "Ada")
        #expect(unsafe answer(of: method, ["name": 1]) == nil)
        #expect(unsafe answer(of: method, .null) == nil)
    }

    /// Calls the method as a host does; nil for an error.
    private func answer(of method: hslink_method, _ payload: Payload) -> Payload? {
        let thread = ThreadContext.current
        let pending = PendingReply.open(on: thread, ledger: 0)
        var call = unsafe hslink_call(
            struct_size: UInt32(MemoryLayout<hslink_call>.size), flags: 0, reply: pending.handle(on: thread),
            deadline: 0, caller: hslink_string(), component: nil, carried: nil)
        let status = unsafe payload.withUnsafeValue { unsafe method.function(method.context, nil, $0, &call) }
        #expect(status == Int32(HSLINK_REPLIED))
        return try? pending.takeReplied(on: thread)?.get()
    }
}
