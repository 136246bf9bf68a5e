import Foundation
import TestSupport
import Testing

@Suite("hslink check")
struct CheckTests {
    private func described(_ name: String) -> URL {
        BuiltProducts.packageDirectory.appending(path: "Tests/Descriptions/\(name).hslink.json")
    }

    @Test(
        "nothing is wrong with good descriptions and components",
        arguments: ["zlib", "libc", "libm", "sqlite", "crypto"])
    func good(name: String) async throws {
        try await withPlugins { plugins in
            try plugins.add(file: described(name))
            let file = plugins.file("\(name).hslink.json")
            #expect(try await hslink("check", file) == printed("\(file): no problems"))
        }
    }

    @Test("types that nothing describes are problems of a component in C, each once and with what was meant")
    func unknownTypes() async throws {
        try await withPlugins { plugins async throws in
            let manifest = #"""
                {\"name\": \"Typed\", \"version\": \"1.0.0\", \"models\": [{\"name\": \"Shape\", \"fields\": {\"size\": \"Doubel?\"}}],
                 \"classes\": [{\"name\": \"TypedLink\", \"selectors\": [{\"name\": \"turn\", \"kind\": \"class\",
                 \"parameters\": {\"sides\": \"Interger\", \"shape\": \"Shape\", \"by\": \"[Interger]\", \"text\": \"string\"},
                 \"result\": \"map\"}]}]}
                """#
            try await plugins.compile(
                "libTyped.so",
                from: """
                    #include "hslink.h"
                    HSLINK_MANIFEST("\(manifest.replacing("\n", with: " "))")
                    HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return NULL; }
                    """)
            let file = plugins.file("libTyped.so")
            let run = try await hslink("check", file)
            #expect(
                run.standardOutput == """
                    \(file): TypedLink.turn: sides: nothing describes the type "Interger", so its values are not \
                    checked; write a type such as String, Int or Double, or describe it in "models"
                    \(file): Shape: size: nothing describes the type "Doubel", so its values are not checked; did you \
                    mean Double?

                    """)
            #expect(run.status == 1)
        }
    }

    @Test("all problems of a description are printed with their places")
    func description() async throws {
        try await withPlugins { plugins in
            try plugins.write(
                """
                {
                  "name": "c", "version": "1.0.0", "library": "libc.so.6", "class": "C", "colour": 1,
                  "declarations": [
                    "int abs(int j);", "flop labs(long j);",
                    "// \\u00e9\\nsize_t strlen(const char *s);\\nvoid *memcpy(void *dest, const void *src, size_t n);",
                    "int atoi(const char *nptr); int no_such_function(int a);"
                  ],
                  "annotations": {
                    "atoi": { "nptrr": "nullable", "nptr": "bytez[3]", "return": "error if nobody" },
                    "nobody": { "a": "out" },
                    "memcpy": { "dest": "out bytes[m]", "src": "bytes[n]", "return": "ignored" }
                  },
                  "constants": { "A": "x", "B": 5, "C": 1.5 },
                  "rename": { "nobody": "n" },
                  "routes": { "abs": [{ "pattern": "/abs/:j" }, { "pattern": "/:i" }] }
                }
                """, to: "c.hslink.json")
            let file = plugins.file("c.hslink.json")
            let run = try await hslink("check", file)
            let places = run.standardOutput.split(separator: "\n").map { line in
                line.dropFirst(file.count + 1).split(separator: " ", maxSplits: 2).prefix(2).joined(separator: " ")
            }
            #expect(
                places == [
                    "2:74: colour:", "4:25: declarations[1]:", "6:38: declarations[3]:",
                    "9:15: annotations.atoi.nptrr:", "9:36: annotations.atoi.nptr:", "9:56: annotations.atoi.return:",
                    "10:5: annotations.nobody:", "11:17: annotations.memcpy.dest:", "13:18: constants.A:",
                    "13:36: constants.C:", "14:15: rename.nobody:", "15:51: routes.abs[1].pattern:",
                ], "\(run.standardOutput)")
            #expect(run.standardError == "\(file): 12 problems\n")
            let lines = run.standardOutput.split(separator: "\n")
            #expect(lines.contains { $0.contains("there is no parameter \"nptrr\"") })
            #expect(lines.contains { $0.hasSuffix("declarations[3]: libc.so.6 has no symbol no_such_function") })
            #expect(run.status == 1)

            let json = try await hslink("check", file, "--json")
            let report = try JSONDecoder().decode(Report.self, from: Data(json.standardOutput.utf8))
            #expect(json.status == 1 && report.files.count == 1 && report.files[0].file == file)
            #expect(report.files[0].problems.count == 12)
            #expect(report.files[0].problems[0].line == 2 && report.files[0].problems[0].column == 74)
            #expect(report.files[0].problems[0].path == "colour")
        }
    }

    private struct Report: Decodable {
        struct File: Decodable {
            struct Problem: Decodable {
                let line: Int?
                let column: Int?
                let path: String?
                let message: String
            }

            let file: String
            let problems: [Problem]
        }

        let files: [File]
    }

    @Test("functions that need an annotation are problems at their declarations")
    func annotations() async throws {
        try await withPlugins { plugins in
            try plugins.write(
                #"{"name": "c", "version": "1.0.0", "library": "libc.so.6", "class": "C", "declarations": "int abs(int j); void *malloc(size_t size);"}"#,
                to: "c.hslink.json")
            let file = plugins.file("c.hslink.json")
            let run = try await hslink("check", file)
            #expect(run.status == 1)
            #expect(
                run.standardOutput.hasPrefix("\(file):1:112: declarations: malloc: return: void * needs an annotation"))
        }
    }

    /// A file, and the lines that are printed for it.
    private static let brokenFiles: [(text: String, lines: [String])] = [
        ("{\n  \"name\": \"a\",\n}", [":3:1: expected "]),
        ("[]", [":1:1: expected "]),
        (
            "{}",
            [
                ":1:1: name: expected string, found nothing", ":1:1: version: expected string, found nothing",
                ":1:1: class: expected string, found nothing", ":1:1: declarations: expected a value, found nothing",
                ":1:1: library: expected a value, found nothing",
            ]
        ),
        (
            #"{"name": "a b", "version": 1, "class": "", "library": ["../x.so", 5], "declarations": ["int abs(int);", 7], "annotations": 5}"#,
            [
                ":1:2: name: expected ", ":1:17: version: expected string, found int", ":1:31: class: expected ",
                ":1:67: library[1]: expected ", ":1:105: declarations[1]: expected string, found int",
                ":1:109: annotations: expected ",
            ]
        ),
        (
            #"{"name": "a", "version": "1.0.0", "class": "A", "library": ["libnobody.so.9", "./x.so"], "declarations": "int f(void);"}"#,
            [":1:49: library: no library can be opened: libnobody.so.9: the dynamic loader does not find it; ./x.so: "]
        ),
        (
            #"{"name": "a", "version": "1.0.0", "class": "A", "library": "libc.so.6", "declarations": "int abs(int j);", "handles": {"s": "nobody", "t": "abs"}}"#,
            [
                ":1:120: handles.s: \"handles\" says", ":1:120: handles.s: nobody: it is used to release",
                ":1:135: handles.t: \"handles\" says", ":1:135: handles.t: abs: it is used to release",
            ]
        ),
    ]

    @Test("errors that a host stops at do not hide others", arguments: brokenFiles)
    func broken(text: String, lines: [String]) async throws {
        try await withPlugins { plugins in
            try plugins.write(text, to: "a.hslink.json")
            let file = plugins.file("a.hslink.json")
            let run = try await hslink("check", file)
            let found = run.standardOutput.split(separator: "\n").map(String.init)
            #expect(found.count == lines.count, "\(run.standardOutput)")
            for line in lines {
                #expect(found.contains { $0.hasPrefix(file + line) }, "\(line)\n\(run.standardOutput)")
            }
            #expect(run.status == 1)
        }
    }

    @Test("thousands of problems are all printed, in the order of their places")
    func many() async throws {
        try await withPlugins { plugins in
            func entries(_ value: String) -> String {
                (0..<500).map { "\"n\($0)\": \(value)" }.joined(separator: ",\n")
            }
            try plugins.write(
                """
                {"name": "c", "version": "1.0.0", "library": "libc.so.6", "class": "C",
                "declarations": [\(repeatElement("7", count: 500).joined(separator: ",\n"))],
                "rename": {\(entries("1"))}, "constants": {\(entries("\"x\""))}, "handles": {\(entries("2"))}}
                """, to: "c.hslink.json")
            let run = try await hslink("check", plugins.file("c.hslink.json"))
            let lines = run.standardOutput.split(separator: "\n")
            #expect(lines.count == 2000 && run.status == 1)
            for (index, path) in ["declarations[0]", "rename.n0", "constants.n0", "handles.n0"].enumerated() {
                #expect(lines.count == 2000 && lines[index * 500].contains(" \(path): expected "))
            }
            #expect(lines.last?.contains(" handles.n499: expected string, found int") == true)
        }
    }

    @Test("components are checked, and files that are none")
    func components() async throws {
        try await withPlugins("CGood", "NoNotes") { plugins in
            let good = plugins.file("libCGood.so")
            let bad = plugins.file("libNoNotes.so")
            #expect(try await hslink("check", good) == printed("\(good): no problems"))
            let run = try await hslink("check", good, bad, plugins.file("nothing.so"))
            #expect(run.status == 1)
            let lines = run.standardOutput.split(separator: "\n")
            #expect(lines.count == 2 && lines[0].hasPrefix("\(bad): "), "\(run.standardOutput)")
            #expect(lines[1].hasPrefix("\(plugins.file("nothing.so")): "))
            #expect(run.standardError == "3 files: 2 problems\n")
            try plugins.setMode(0o666, of: good)
            let open = try await hslink("check", good)
            #expect(open.status == 1 && open.standardOutput.hasPrefix("\(good): hosts refuse the file: "))
        }
    }

    @Test(
        "with --load, a descriptor is compared with its manifest, and without it nothing is loaded",
        arguments: [
            ("CGood", nil), ("FixtureComponent", nil),
            (
                "ClassNotInDescriptor",
                "its manifest declares class ClassNotInDescriptorGhost, but its descriptor does not have it"
            ),
            ("NameMismatch", "its descriptor declares NameMismatchOther "),
            ("EntryNull", "its function hslink_component returned NULL"),
            ("OtherCompiler", "it was built by Swift "), ("MissingSymbol", "the dynamic loader refused it: "),
        ])
    func loaded(name: String, problem: String?) async throws {
        try await withPlugins(name) { plugins async throws in
            let file = plugins.file("lib\(name).so")
            #expect(try await hslink("check", file) == printed("\(file): no problems"))
            let run = try await hslink("check", file, "--load")
            guard let problem else {
                #expect(run == printed("\(file): no problems"))
                return
            }
            #expect(run.status == 1)
            #expect(run.standardOutput.hasPrefix("\(file): \(problem)"), "\(run)")
        }
    }

    @Test(
        "with --load, a file that prints, crashes or exits when it is loaded has a problem of its own",
        arguments: [
            ("if (write(1, \"noise\", 5) != 5) _exit(9);", "its function hslink_component returned NULL"),
            ("abort();", "loading it ends the process with signal 6 (SIGABRT)"),
            ("_exit(3);", "loading it ends the process with status 3"),
        ])
    func initializer(statement: String, problem: String) async throws {
        try await withPlugins { plugins async throws in
            try await plugins.compile(
                "libNoisy.so",
                from: """
                    #include "hslink.h"
                    #include <stdlib.h>
                    #include <unistd.h>
                    HSLINK_MANIFEST("{\\"name\\": \\"Noisy\\", \\"version\\": \\"1.0.0\\"}")
                    __attribute__((constructor)) static void begin(void) { \(statement) }
                    HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return NULL; }
                    """)
            let file = plugins.file("libNoisy.so")
            let run = try await hslink("check", file, "--load")
            #expect(run.standardOutput == "\(file): \(problem)\n", "\(run)")
            #expect(run.status == 1)
        }
    }

    @Test("with --load, only the file with the problem has it")
    func loadedDirectory() async throws {
        try await withPlugins("CGood", "EntryNull") { plugins async throws in
            let run = try await hslink("check", plugins.path, "--load", "--json")
            #expect(run.status == 1)
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(run.standardOutput.utf8)) as? [String: Any])
            let files = try #require(object["files"] as? [[String: Any]])
            let problems = files.map { file in
                (file["problems"] as? [[String: Any]] ?? []).compactMap { $0["message"] as? String }
            }
            #expect(problems == [[], ["its function hslink_component returned NULL"]])
        }
    }

    @Test("the files of a directory are checked together")
    func directory() async throws {
        try await withPlugins("CGood", "NeedsMissing") { plugins in
            try plugins.add(file: described("zlib"))
            try plugins.write("not a component", to: "README.txt")
            let run = try await hslink("check", plugins.path + "/")
            #expect(run.status == 1)
            let lines = run.standardOutput.split(separator: "\n")
            #expect(lines.count == 1, "\(run.standardOutput)")
            #expect(lines[0].hasPrefix("\(plugins.path)/libNeedsMissing.so: "))
            #expect(run.standardError == "3 files: 1 problem\n")
        }
        try await withPlugins { plugins in
            let none = try await hslink("check", plugins.path)
            #expect(none.status == 1)
            #expect(none.standardOutput.hasSuffix(": there is no component and no description in this directory\n"))
        }
        #expect(try await hslink("check").status == 64)
    }

    @Test("what every host provides meets requirements", .enabled(if: ComponentTests.isBuilt("ComponentConsole")))
    func ofEveryHost() async throws {
        try await withPlugins("ComponentConsole") { plugins async throws in
            let file = plugins.file("libComponentConsole.so")
            #expect(try await hslink("check", plugins.path) == printed("\(file): no problems"))
        }
    }
}
