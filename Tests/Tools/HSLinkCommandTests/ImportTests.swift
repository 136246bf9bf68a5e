import ComponentKit
import Foundation
import TestSupport
import Testing

@Suite("hslink import")
struct ImportTests {
    /// The written description.
    private struct Description: Decodable {
        let name: String
        let version: String
        let library: [String]
        let `class`: String
        let declarations: [String]
    }

    private static func isThere(_ header: String) -> Bool {
        FileManager.default.fileExists(atPath: "/usr/include/\(header)")
    }

    @Test(
        "a library is described from its header", .enabled("zlib.h is not installed (zlib1g-dev)") { isThere("zlib.h") }
    )
    func zlib() async throws {
        let run = try await hslink("import", "zlib.h", "--library", "z")
        #expect(run.status == 0)
        let description = try JSONDecoder().decode(Description.self, from: Data(run.standardOutput.utf8))
        #expect(description.name == "zlib" && description.class == "Zlib" && description.library == ["libz.so.1"])
        #expect(description.version.split(separator: ".").compactMap { Int($0) }.count == 3)
        #expect(description.declarations.contains("uLong crc32(uLong crc, const Bytef *buf, uInt len);"))
        let lines = run.standardError.split(separator: "\n")
        #expect(
            lines.contains("left out: gzvprintf: its parameter 3 can't be passed: only a compiler can create a va_list")
        )
        #expect(lines.last?.hasPrefix("zlib \(description.version) (libz.so.1): ") == true)
    }

    @Test("only the requested functions are written", .enabled("zlib.h is not installed") { isThere("zlib.h") })
    func choice() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path + "/z.hslink.json"
        let run = try await hslink(
            "import", "zlib.h", "--library", "libz.so.1", "--only", "crc32", "--only", "Z_O?", "--output", file)
        #expect(run.status == 0 && run.standardOutput == "")
        let description = try JSONDecoder().decode(Description.self, from: try Data(contentsOf: URL(filePath: file)))
        #expect(
            description.declarations == [
                "#define Z_OK 0", "typedef unsigned char Byte;", "typedef unsigned int uInt;",
                "typedef unsigned long uLong;", "typedef Byte Bytef;",
                "uLong crc32(uLong crc, const Bytef *buf, uInt len);",
            ])
    }

    @Test(
        "functions that the library does not have are left out",
        .enabled("zlib.h is not installed") { isThere("zlib.h") })
    func symbols() async throws {
        let run = try await hslink("import", "zlib.h", "--library", "m", "--only", "crc32")
        #expect(run.status == 1)
        #expect(run.standardError.contains("left out: crc32: libm.so.6 has no symbol with this name\n"))
    }

    @Test(
        "a library that is not installed is recorded by its file name",
        .enabled("zlib.h is not installed") { isThere("zlib.h") })
    func absent() async throws {
        let unknown = try await hslink("import", "zlib.h", "--library", "nobody-has-this")
        #expect(unknown.status == 1)
        #expect(unknown.standardError.hasPrefix("Error: libnobody-has-this.so was not found: install"))
        let named = try await hslink("import", "zlib.h", "--library", "libnobody.so.7", "--only", "crc32")
        #expect(named.status == 0)
        #expect(named.standardError.contains("libnobody.so.7 was not found; its symbols were not checked\n"))
        #expect(
            named.standardOutput.contains("\"version\": \"0.0.0\"")
                || named.standardOutput.contains("\"version\": \"1."))
    }

    @Test("a local library and header are named by their paths")
    func own() async throws {
        let directory = try TemporaryDirectory()
        let header = try directory.write("struct point { int x, y; };\nint area(struct point a);\n", to: "shapes-2d.h")
        let source = try directory.write(
            "#include \"shapes-2d.h\"\nint area(struct point a) { return a.x; }\n", to: "a.c")
        let library = directory.path(of: "libshapes.so")
        let compiled = try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"), ["clang", "-shared", "-fPIC", "-o", library, source])
        #expect(compiled.status == 0, "\(compiled.standardError)")
        let run = try await hslink("import", header, "--library", library)
        #expect(run.status == 0)
        let description = try JSONDecoder().decode(Description.self, from: Data(run.standardOutput.utf8))
        #expect(description.name == "shapes-2d" && description.class == "Shapes2d" && description.version == "0.0.0")
        #expect(description.library == [library])
        #expect(description.declarations == ["struct point { int x; int y; };", "int area(struct point a);"])
        #expect(run.standardError == "shapes-2d 0.0.0 (\(library)): 1 function, 0 constants\n")
    }

    @Test("everything that is left out is said with one line each, and counted")
    func omissions() async throws {
        let directory = try TemporaryDirectory()
        let header = try directory.write(
            """
            #define LOG(x) x
            #define TEXT "a"
            extern char **environ;
            static inline int twice(int n) { return 2 * n; }
            int no_such_function(int n);
            #pragma pack(push, 1)
            struct bits { int a; };
            #pragma pack(pop)
            int abs(int j);
            int labs(struct bits *bits);

            """, to: "own.h")
        let run = try await hslink("import", header, "--library", "c")
        #expect(run.status == 0)
        #expect(
            run.standardError == """
                left out: twice: static inline: compiled into callers, not in the library
                left out: no_such_function: libc.so.6 has no symbol with this name
                left out: environ: variable: read by a selector if the declarations have 'extern char **environ;'
                left out: LOG: macro with parameters: expanded by compilers, not in the library
                opaque: struct bits: '#pragma pack' moves its fields
                own \(try version(run)) (libc.so.6): 2 functions, 1 constant; left out: 2 functions, 1 variable, 1 macro; \
                opaque: 1 type

                """)
    }

    private func version(_ run: ProgramRun) throws -> String {
        try JSONDecoder().decode(Description.self, from: Data(run.standardOutput.utf8)).version
    }

    /// The parts of a description that concern pointers.
    private struct Annotated: Decodable {
        let annotations: [String: [String: String]]?
        let proposals: [String: [String: [String]]]?
    }

    private static let pointers = """
        typedef unsigned long size_t;
        size_t strlen(const char *s);
        void *memchr(const void *data, int c, size_t n);
        int memcmp(const void *left, const void *right, size_t size);
        int abs(int j);

        """

    @Test("what pointers may mean is proposed, and hosts ignore the proposals")
    func proposals() async throws {
        try await withPlugins { plugins in
            try plugins.write(ImportTests.pointers, to: "own.h")
            let file = plugins.file("own.hslink.json")
            let run = try await hslink("import", plugins.file("own.h"), "--library", "c", "--output", file)
            #expect(run.status == 0)
            #expect(
                run.standardError.contains(
                    "2 functions cannot be called before annotations say more; \"proposals\" in the description lists "
                        + "the choices\n"), "\(run.standardError)")
            let written = try JSONDecoder().decode(Annotated.self, from: Data(contentsOf: URL(filePath: file)))
            #expect(written.annotations == nil)
            #expect(Set(written.proposals?.keys.map(\.self) ?? []) == ["memchr", "memcmp"])
            #expect(written.proposals?["memcmp"]?["right"]?.first == "bytes[size]")
            let call = try await hslink("call", "Own", "strlen", "s=four", "--plugins", plugins.path)
            #expect(call == printed("4"))
            let check = try await hslink("check", file)
            #expect(check.status == 1 && !check.standardOutput.contains("proposals"), "\(check.standardOutput)")
        }
    }

    @Test(
        "a description stays as it was if the disk has no room for a new one",
        .enabled(if: MountNamespace.isAllowed, "needs root or user namespaces, to mount a small disk"))
    func fullDisk() async throws {
        let directory = try TemporaryDirectory()
        let small = try directory.makeDirectory("small")
        let constants = (0..<400).map { "#define CONSTANT_\($0) \($0)\n" }
        let header = try directory.write(ImportTests.pointers + constants.joined(), to: "own.h")
        let commands = #"$0 import $1 --library c --output $2/own.hslink.json; echo $?; ls -A $2; cat $2/*"#
        let run = try await MountNamespace.run(
            #"mount -t tmpfs -o size=4k tmpfs "$1" && echo old >"$1/own.hslink.json""#, [small],
            URL(filePath: "/bin/sh"), ["-c", commands, BuiltProducts.hslink.path, header, small])
        #expect(
            run
                == ProgramRun(
                    standardOutput: "1\nown.hslink.json\nold\n",
                    standardError: "Error: \(small)/own.hslink.json: cannot be written: No space left on device\n",
                    status: 0))
    }

    @Test("guesses are written as annotations, and the functions can be called")
    func guesses() async throws {
        try await withPlugins { plugins in
            try plugins.write(ImportTests.pointers, to: "own.h")
            let file = plugins.file("own.hslink.json")
            let run = try await hslink(
                "import", plugins.file("own.h"), "--library", "c", "--only", "memcmp", "--only", "abs", "--guess",
                "--output", file)
            #expect(run.status == 0)
            #expect(
                run.standardError.contains("annotations were guessed for 1 function: read them before use\n"),
                "\(run.standardError)")
            let written = try JSONDecoder().decode(Annotated.self, from: Data(contentsOf: URL(filePath: file)))
            #expect(written.annotations == ["memcmp": ["left": "bytes[size]", "right": "bytes[size]"]])
            #expect(written.proposals == nil)
            let call = try await hslink("call", "Own", "memcmp", "left=abc", "right=abc", "--plugins", plugins.path)
            #expect(call == printed("0"))
            #expect(try await hslink("check", file) == printed("\(file): no problems"))
        }
    }

    @Test("whether a text is released by the caller is not guessed")
    func owners() async throws {
        let directory = try TemporaryDirectory()
        let text = "typedef unsigned long size_t;\nchar *strdup(const char *s);\nsize_t strlen(const char *s);\n"
        let header = try directory.write(text, to: "own.h")
        let run = try await hslink("import", header, "--library", "c", "--guess")
        #expect(run.status == 0, "\(run.standardError)")
        let written = try JSONDecoder().decode(Annotated.self, from: Data(run.standardOutput.utf8))
        #expect(written.annotations == nil)
        #expect(written.proposals == ["strdup": ["return": ["string", "string free"]]])
        #expect(run.standardError.contains("2 functions (1 cannot be called yet), 0 constants"), "\(run.standardError)")
    }

    @Test("the function that releases handles is guessed, and others that release them are said to")
    func releases() async throws {
        let directory = try TemporaryDirectory()
        let header = try directory.write(
            """
            struct file; struct file *tmpfile(void); int pclose(struct file *stream); int fclose(struct file *stream);
            int fflush(struct file *stream); void funlockfile(struct file *stream);
            """, to: "file.h")
        let run = try await hslink("import", header, "--library", "c", "--guess")
        let json = try Payload(json: run.standardOutput)
        #expect(json["handles"] == ["file": "fclose"])
        #expect(json["annotations"] == ["pclose": ["stream": "released"]])
        let asked = try Payload(json: try await hslink("import", header, "--library", "c").standardOutput)
        #expect(asked["handles"] == nil)
        #expect(
            asked["proposals"] == [
                "pclose": ["stream": ["released", "handle"]], "fclose": ["stream": ["released", "handle"]],
            ])
    }

    @Test("functions whose guesses do not fit together are counted as such that cannot be called")
    func refusedGuesses() async throws {
        let directory = try TemporaryDirectory()
        let header = try directory.write(
            """
            struct node; struct parser; struct parser *tmpfile(void); int fclose(struct parser *parser);
            struct node *pclose(struct parser *parser);
            """, to: "parser.h")
        let file = directory.path(of: "parser.hslink.json")
        let run = try await hslink("import", header, "--library", "c", "--guess", "--output", file)
        #expect(
            run.standardError.contains("1 function cannot be called for other reasons; 'hslink check' lists them\n"),
            "\(run.standardError)")
        #expect(run.standardError.contains("3 functions (1 cannot be called yet)"), "\(run.standardError)")
        #expect(try await hslink("check", file).status == 1)
    }

    @Test("macros that are other names of functions, and enums that only a typedef names, are imported")
    func aliases() async throws {
        let directory = try TemporaryDirectory()
        let header = try directory.write(
            """
            int abs(int value);
            #define magnitude abs
            #define absolute(value) abs(value)
            #define LEAST ((long)0x8000000000000000)
            typedef enum { SMALL = 3, LARGE } extent;
            """, to: "alias.h")
        let run = try await hslink("import", header, "--library", "c")
        #expect(!run.standardError.contains("magnitude"))
        let file = try directory.write(run.standardOutput, to: "alias.hslink.json")
        #expect(try await hslink("check", file) == printed("\(file): no problems"))
        let arguments = ["value=-5", "--plugins", directory.path]
        #expect(try await hslink(["call", "Alias", "magnitude"] + arguments) == printed("5"))
        let names = try await hslink("inspect", file).standardOutput
        #expect(names.contains("LARGE = 4") && names.contains("LEAST = -9223372036854775808"), "\(names)")
    }

    @Test("directories and macros are passed to the compiler")
    func options() async throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory("include")
        try directory.write("typedef WIDTH number;\n", to: "include/number.h")
        let header = try directory.write("#include <number.h>\nnumber strlen(const char *text);\n", to: "text.h")
        let run = try await hslink(
            "import", header, "--library", "c", "--include", directory.path(of: "include"), "--define",
            "WIDTH=unsigned long")
        #expect(run.status == 0, "\(run.standardError)")
        let description = try JSONDecoder().decode(Description.self, from: Data(run.standardOutput.utf8))
        #expect(description.library == ["libc.so.6"])
        #expect(description.declarations.last == "number strlen(const char *text);")
    }

    @Test("without clang the error says how to install it")
    func noClang() async throws {
        let run = try await ProgramRun.of(
            BuiltProducts.hslink, ["import", "zlib.h", "--library", "z"],
            environment: ["PATH": "/nonexistent", "CLANG": nil])
        #expect(run.status == 1 && run.standardOutput == "")
        #expect(run.standardError.hasPrefix("Error: clang is needed to read headers, but it is not in PATH: "))
    }

    @Test("a broken header is refused with the compiler's message")
    func wrong() async throws {
        let run = try await hslink("import", "no/such/header.h", "--library", "m")
        #expect(run.status == 1 && run.standardOutput == "")
        #expect(run.standardError.contains("'no/such/header.h' file not found"))
        #expect(try await hslink("import", "zlib.h").status == 64)
    }
}
