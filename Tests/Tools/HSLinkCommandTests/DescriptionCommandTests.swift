import Foundation
import TestSupport
import Testing

@Suite("Libraries by their descriptions, through the command line")
struct DescriptionCommandTests {
    private func described(_ name: String) -> URL {
        BuiltProducts.packageDirectory.appending(path: "Tests/Descriptions/\(name).hslink.json")
    }

    @Test("a C library answers a call")
    func call() async throws {
        try await withPlugins { plugins in
            try plugins.add(file: described("zlib"))
            let run = try await hslink(
                "call", "Zlib", "crc32", #"{"crc": 0, "buf": {"$bytes": "MTIzNDU2Nzg5"}}"#, "--plugins", plugins.path)
            #expect(run == printed("3421780262"))
            let text = try await hslink(
                "call", "Zlib", "crc32", "crc=0", #"buf="123456789""#, "--plugins", plugins.path)
            #expect(text == printed("3421780262"))
            let wrong = try await hslink("call", "Zlib", "crc32", "crc=-1", "buf=1", "--plugins", plugins.path)
            #expect(
                wrong
                    == failed(
                        "Error: crc32 of Zlib in zlib: crc: expected int from 0 to 18446744073709551615, found int -1"))
        }
    }

    @Test("it is listed, and inspected with parameters and types")
    func inspect() async throws {
        try await withPlugins { plugins in
            try plugins.add(file: described("zlib"))
            let list = try await hslink("list", "--plugins", plugins.path)
            #expect(list.status == 0)
            #expect(list.standardOutput.contains("zlib  1.2.13   -      available  \(plugins.path)/zlib.hslink.json"))
            let run = try await hslink("inspect", plugins.file("zlib.hslink.json"))
            #expect(run.status == 0)
            #expect(run.standardOutput.contains("  object method crc32(crc: UInt64, buf: Data) -> UInt64\n"))
            #expect(
                run.standardOutput.contains(
                    "  object method compress2(destLen: UInt64, source: Data, level: Int32) -> [String: Payload]\n"))
            #expect(run.standardOutput.contains("Library    libz.so.1\n"))
        }
    }

    @Test("constants are listed with their values, and may be passed instead of them")
    func constants() async throws {
        try await withPlugins { plugins in
            try plugins.write(
                #"""
                {"name": "c", "version": "1.0.0", "library": "libm.so.6", "class": "C",
                 "declarations": ["#define HALF 0.5", "#define NAME \"a\\n\"", "enum { SMALL = -3, BIG = 4 };",
                                  "double ldexp(double x, int exp);", "double copysign(double x, double y);",
                                  "double nan(const char *tag);"],
                 "annotations": {"copysign": {"y": "= HALF"}, "nan": {"tag": "= NAME"}},
                 "constants": {"MORE": 7}}
                """#, to: "c.hslink.json")
            let text = try await hslink("inspect", plugins.file("c.hslink.json"))
            #expect(
                text.standardOutput.contains(
                    #"""
                    Constants  SMALL = -3
                               BIG = 4
                               MORE = 7
                               HALF = 0.5
                               NAME = "a\n"

                    """#), "\(text.standardOutput)")
            let json = try await hslink("inspect", plugins.file("c.hslink.json"), "--json")
            #expect(
                json.standardOutput.contains(
                    #""constants":{"SMALL":-3,"BIG":4,"MORE":7,"HALF":0.5,"NAME":"a\n"}"#), "\(json.standardOutput)")
            let call = try await hslink("call", "C", "ldexp", "x=HALF", "exp=BIG", "--plugins", plugins.path)
            #expect(call == printed("8.0"))
            let fixed = try await hslink("call", "C", "copysign", "x=-2", "--plugins", plugins.path)
            #expect(fixed == printed("2.0"))
            let nan = try await hslink("call", "C", "nan", "--plugins", plugins.path)
            #expect(nan.status == 0, "\(nan.standardError)")
            let wrong = try await hslink("call", "C", "ldexp", "x=NAME", "exp=BIG", "--plugins", plugins.path)
            #expect(wrong.status == 1 && wrong.standardError.contains("x: expected double, found string"))
        }
    }

    @Test("routes are inspected, with the reason for those that are left out")
    func routes() async throws {
        try await withPlugins { plugins in
            try plugins.write(
                """
                {"name": "c", "version": "1.0.0", "library": "libc.so.6", "class": "C",
                 "declarations": "int abs(int j);",
                 "routes": {"abs": [{"pattern": "c://abs/:j", "public": true, "tags": ["sum"], "priority": 5},
                                    {"pattern": "/abs/:j"}, {"pattern": "/:i"}]}}
                """, to: "c.hslink.json")
            let reason =
                "C.abs: routes[2].pattern: expected placeholders that are parameters (j), found \"i\""
            let text = try await hslink("inspect", plugins.file("c.hslink.json"))
            #expect(text.status == 0)
            #expect(text.standardOutput.contains("Left out   \(reason)\n"), "\(text.standardOutput)")
            #expect(
                text.standardOutput.hasSuffix(
                    """
                      object method abs(j: Int32) -> Int32
                        route c://abs/:j [public, tag sum, priority 5]
                        route /abs/:j

                    """), "\(text.standardOutput)")
            let json = try await hslink("inspect", plugins.file("c.hslink.json"), "--json")
            let report = try #require(
                try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8)) as? [String: Any])
            #expect(report["routeProblems"] as? [String] == [reason])
            let good = try await hslink("call", "C", "abs", "j=-5", "--plugins", plugins.path)
            #expect(good == printed("5"))
        }
    }

    @Test("unusable functions are listed with a reason, and the others work")
    func refused() async throws {
        try await withPlugins { plugins in
            try plugins.write(
                """
                {"name": "c", "version": "1.0.0", "library": "libc.so.6", "class": "C",
                 "declarations": ["int abs(int j);", "void *malloc(size_t size);", "int no_such_function(int a);"]}
                """, to: "c.hslink.json")
            let list = try await hslink("list", "--plugins", plugins.path)
            #expect(list.standardOutput.contains("one declaration cannot be used: malloc: return: void * needs"))
            let inspect = try await hslink("inspect", plugins.file("c.hslink.json"))
            #expect(inspect.standardOutput.contains("Left out   malloc: return: void * needs an annotation: "))
            let good = try await hslink("call", "C", "abs", "j=-5", "--plugins", plugins.path)
            #expect(good == printed("5"))
            let refused = try await hslink("call", "C", "malloc", "size=5", "--json", "--plugins", plugins.path)
            let answer = try PrintedAnswer(refused)
            #expect(answer.classIsLoad)
            #expect(answer.error?.code == "selectorNotFound")
            #expect(answer.error?.message.hasPrefix("the function cannot be called: return: void * needs") == true)
            let missing = try await hslink("call", "C", "no_such_function", "a=5", "--plugins", plugins.path)
            #expect(missing.standardError.contains("undefined symbol: no_such_function"))
            #expect(missing.status == 1)
        }
    }

    @Test("a missing library is a class that is not loaded, with the loader's message")
    func missing() async throws {
        try await withPlugins { plugins in
            try plugins.write(
                """
                {"name": "z", "version": "1.0.0", "library": ["libz.so.99", "./libother.so"], "class": "Z",
                 "declarations": "int f(void);"}
                """, to: "z.hslink.json")
            let run = try await hslink("call", "Z", "f", "--json", "--plugins", plugins.path)
            let answer = try PrintedAnswer(run)
            #expect(!answer.performSuccess)
            #expect(!answer.classIsLoad)
            #expect(answer.error?.code == "notLoaded")
            #expect(answer.error?.message.contains("libz.so.99: cannot open shared object file") == true)
            #expect(answer.error?.message.contains("libother.so") == true)
            #expect(answer.error?.cause.first?.code == "cannotLink")
        }
    }

    @Test(
        "functions of a Swift library that knows nothing of HSLink are called",
        .enabled(if: BuiltProducts.sanitizer == nil))
    func swift() async throws {
        try await withPlugins("PlainSwift") { plugins in
            try plugins.write(
                """
                {"name": "swift", "version": "1.0.0", "library": "./libPlainSwift.so", "class": "Arithmetic",
                 "declarations": ["int64_t plain_swift_add(int64_t left, int64_t right);",
                                  "double plain_swift_scale(double value, float factor);"],
                 "rename": {"plain_swift_add": "add", "plain_swift_scale": "scale"}}
                """, to: "swift.hslink.json")
            let sum = try await hslink("call", "Arithmetic", "add", "left=2", "right=40", "--plugins", plugins.path)
            #expect(sum == printed("42"))
            let scaled = try await hslink(
                "call", "Arithmetic", "scale", "value=1.5", "factor=2", "--plugins", plugins.path)
            #expect(scaled == printed("3.0"))
        }
    }

    @Test("descriptions and libraries next to them that other users can change are refused")
    func trust() async throws {
        try await withPlugins("PlainFunctions") { plugins in
            try plugins.add(file: described("plain"))
            try plugins.setMode(0o757, of: plugins.file("libPlainFunctions.so"))
            let library = try await hslink("call", "Plain", "plain_int8", "value=1", "--plugins", plugins.path)
            #expect(library.status == 1)
            #expect(library.standardError.contains("libPlainFunctions.so: the file is writable by everyone"))
            try plugins.setMode(0o755, of: plugins.file("libPlainFunctions.so"))
            let good = try await hslink("call", "Plain", "plain_int8", "value=1", "--plugins", plugins.path)
            #expect(good == printed("-1"))
            try plugins.setMode(0o666, of: plugins.file("plain.hslink.json"))
            let description = try await hslink(
                "call", "Plain", "plain_int8", "value=1", "--json", "--plugins", plugins.path)
            #expect(try PrintedAnswer(description).error?.code == "classNotFound")
        }
    }

    @Test("a broken description is listed with its position")
    func broken() async throws {
        try await withPlugins { plugins in
            try plugins.write(#"{"name": "a", "version": "1.0.0", "clas": "A"}"#, to: "a.hslink.json")
            let list = try await hslink("list", "--all", "--plugins", plugins.path)
            #expect(list.standardOutput.contains("the description is invalid: clas: expected one of name, version"))
            let inspect = try await hslink("inspect", plugins.file("a.hslink.json"))
            #expect(inspect.status == 1)
            #expect(inspect.standardError.contains("the description is invalid: clas: expected one of name, version"))
        }
    }
}
