import CDeclarations
import HeaderImport
import Testing

/// Tests the declarations that headers become.
struct ImportedDeclarationTests {
    /// A header, and the declarations that are written for it.
    private static let headers: [(text: String, declarations: [String])] = [
        ("int f(void);", ["int f(void);"]),
        (
            "#include <stdint.h>\n#include <stdio.h>\nuint32_t f(const uint8_t *bytes, size_t count, FILE *file);",
            ["uint32_t f(const uint8_t *bytes, size_t count, FILE *file);"]
        ),
        // The types that functions need, directly and indirectly.
        (
            """
            typedef unsigned short half; typedef struct pair { half a; struct other *b; } pair; typedef int unused;
            struct other { pair *back; enum kind { small, large = 4 } kind; }; typedef pair *handle;
            int f(handle a);
            """,
            [
                "typedef unsigned short half;", "struct pair { half a; struct other *b; };",
                "typedef struct pair pair;", "enum kind { small, large = 4 };",
                "struct other { pair *back; enum kind kind; };", "typedef pair *handle;", "int f(handle a);",
            ]
        ),
        // Structs without a tag.
        (
            "typedef struct { int a; union { char b; long c; }; struct { void (*f)(int); } d[2]; } t; t f(t *a);",
            [
                "typedef struct { int a; union { char b; long c; }; struct { void (*f)(int); } d[2]; } t;",
                "t f(t *a);",
            ]
        ),
        ("typedef struct { int a; } *t; int f(t);", ["typedef struct { int a; } *t;", "int f(t);"]),
        ("typedef enum { A, B = -1 } t; t f(void);", ["typedef enum { A, B = -1 } t;", "t f(void);"]),
        // Functions in all positions.
        (
            "typedef int (*compare)(const void *, const void *); void (*f(int a, compare b, int (*c)(int)))(char);",
            [
                "typedef int (*compare)(const void *, const void *);",
                "void (*f(int a, compare b, int (*c)(int)))(char);",
            ]
        ),
        ("int f(int (*a[3])(void), char *(*b)[4]);", ["int f(int (**a)(void), char *(*b)[4]);"]),
        // Attributes that matter.
        (
            "struct s { char a; int b __attribute__((aligned(16))); } __attribute__((packed)); int f(struct s a);",
            ["struct s { char a; int b __attribute__((aligned(16))); } __attribute__((packed));", "int f(struct s a);"]
        ),
        (
            "struct s { unsigned a : 3; int : 0; const int b : 2 + 2 __attribute__((packed)); }; int f(struct s *a);",
            [
                "struct s { unsigned int a : 3; int : 0; const int b : 4 __attribute__((packed)); };",
                "int f(struct s *a);",
            ]
        ),
        ("int f(int a) __asm__(\"g\");", ["int f(int a) __asm__(\"g\");"]),
        ("typedef int bool; bool f(bool a);", ["typedef int bool;", "bool f(bool a);"]),
        ("int f(const char *format, ...); int f(const char *, ...);", ["int f(const char *format, ...);"]),
        ("int f(int); int f(int a);", ["int f(int a);"]),
        // Constants.
        (
            """
            #define VERSION_OF(a, b) ((a) * 100 + (b))
            #define BEFORE VERSION_OF(1, 2) + (
            #define VERSION VERSION_OF(1, 16)
            #define QUOTED(x) #x
            #define EXPANDED(x) QUOTED(x)
            #define NAME "é " EXPANDED(VERSION_OF) "\\"" QUOTED("\\n")
            #define BRACED ("a")
            #define BIT(n) (1UL << (n))
            #define HIGH BIT(63)
            #define LOW ((long long)BIT(63))
            #define SIZE sizeof(struct pair)
            #define LARGEST ((unsigned short)-1)
            #define BEGIN VERSION_OF(1, 2) {
            #define OPEN (VERSION_OF(1, 2)
            #define END } VERSION_OF(1, 2)
            #define NOTHING ((void *)0)
            #define WIDE L"wide"
            #define CALL f(VERSION)
            struct pair { long a, b; };
            int f(int a);
            """,
            [
                "#define VERSION 116", "#define NAME \"é VERSION_OF\\\"\\\"\\\\n\\\"\"", "#define BRACED \"a\"",
                "#define HIGH 9223372036854775808u", "#define LOW (-9223372036854775807 - 1)", "#define SIZE 16",
                "#define LARGEST 65535", "int f(int a);",
            ]
        ),
        (
            """
            #define TEST_H 1
            #define _INTERNAL 1
            #define SIZE (LATER * sizeof(int))
            #define LATER 3
            #define TEXT "text"
            #define CALL(x) x
            #define EMPTY
            #define POINTER ((char *)0)
            enum { ONE = 1, TWO }; enum named { THREE = 3 };
            #define FOUR TWO + 2
            int f(int a[SIZE]);
            """,
            [
                "#define SIZE 12", "#define LATER 3", "#define TEXT \"text\"", "#define FOUR 4",
                "enum { ONE = 1, TWO };", "enum named { THREE = 3 };",
                "int f(int *a);",
            ]
        ),
    ]

    @Test("a header becomes declarations that mean the same", arguments: headers)
    func declarations(text: String, declarations: [String]) async throws {
        let imported = try await HeaderFile(text).imported()
        #expect(imported.declarations == declarations)
        #expect(imported.omissions.filter { $0.kind != .macro } == [] && imported.opaque == [])
        #expect(imported.isReadable)
    }

    /// A header, and which functions are left out for which reason.
    private static let omissions: [(text: String, reason: String)] = [
        (
            "#include <stdarg.h>\nint f(va_list a);",
            "its parameter 1 can't be passed: only a compiler can create a va_list"
        ),
        ("double _Complex f(void);", "its result can't be passed: values of type double _Complex are not supported"),
        ("static int f(void) { return 1; }", "static: compiled into callers, not in the library"),
        (
            "static inline int f(void) { return 1; }", "static inline: compiled into callers, not in the library"
        ),
        ("int f();", "'()' does not declare parameters: write '(void)', or declare them"),
        ("inline int f(void) { return 1; }", "inline: compiled into callers, not in the library"),
        (
            "struct s { int a : 3; int : 0; }; int f(struct s a);",
            "its parameter 1 can't be passed: struct s has a bit-field without a name"
        ),
        (
            "typedef struct { int : 2; int a : 3; } s; s f(void);",
            "its result can't be passed: unnamed struct at type 0:1:9 has a bit-field without a name"
        ),
        ("struct s; int f(struct s a);", "its parameter 1 can't be passed: struct s is not defined"),
        (
            "#pragma pack(push, 1)\nstruct s { char a; int b; };\n#pragma pack(pop)\nint f(struct s a);",
            "its parameter 1 can't be passed: struct s is opaque: '#pragma pack' moves its fields"
        ),
        ("typedef int v __attribute__((vector_size(16))); v f(void);", ""),
        ("__int128 f(void);", "its result can't be passed: values of type __int128 are not supported"),
    ]

    @Test("functions that cannot be called are left out with the reason", arguments: omissions)
    func omission(text: String, reason: String) async throws {
        let imported = try await HeaderFile(text + "\nint good(void);").imported()
        #expect(imported.functions == ["good"])
        #expect(imported.omissions.map(\.name) == ["f"])
        if !reason.isEmpty { #expect(imported.omissions.map(\.reason) == [reason]) }
        #expect(imported.isReadable)
    }

    @Test("texts and floating-point numbers are constants, and what is not is left out with a reason")
    func macros() async throws {
        let imported = try await HeaderFile(
            """
            #define VERSION "1." MINOR "\\n\\\"\\001"
            #define MINOR "2"
            #define PI 3.25
            #define HALF (PI / 2)
            #define HUGE_COUNT 18446744073709551615u
            #define FLAGS (READ | 4)
            #define CALL(x) x
            #define POINTER ((char *)0)
            #define EXPORT __attribute__((visibility("default")))
            #define EMPTY
            enum flags { READ = 1 };
            extern int counter;
            static const int limit = 5;
            int f(void);
            """
        ).imported()
        #expect(
            imported.declarations == [
                #"#define VERSION "1.2\n\"\001""#, "#define MINOR \"2\"", "#define PI 3.25", "#define HALF 1.625",
                "#define HUGE_COUNT 18446744073709551615u", "#define FLAGS 5", "enum flags { READ = 1 };",
                "int f(void);",
            ])
        #expect(imported.constantCount == 7)
        #expect(imported.omissions.map(\.name) == ["counter", "limit", "CALL", "POINTER", "EXPORT"])
        #expect(imported.omissions.map(\.kind) == [.variable, .variable, .macro, .macro, .macro])
        #expect(imported.omissions[2].reason == "macro with parameters: expanded by compilers, not in the library")
        #expect(imported.omissions[3].reason == "macro: it expands to neither a number nor a string")
        #expect(imported.isReadable)
        let values = CDeclarations(parsing: imported.declarations.joined(separator: "\n")).namedValues.map(\.value)
        #expect(values == [.text("1.2\n\"\u{1}"), .text("2"), .number(3.25), .number(1.625)])
    }

    @Test("a struct without a known layout stays opaque behind pointers")
    func opaque() async throws {
        let imported = try await HeaderFile(
            """
            #pragma pack(push, 1)
            typedef struct { char a; int b; } s;
            #pragma pack(pop)
            struct t { s *a; }; int f(s *a, struct t *b);
            """
        )
        .imported()
        #expect(
            imported.declarations == ["typedef struct s s;", "struct t { s *a; };", "int f(s *a, struct t *b);"])
        #expect(imported.opaque.map(\.name) == ["s"])
        #expect(imported.isReadable)
    }

    @Test("a type that contains an opaque struct is opaque too")
    func opaqueInside() async throws {
        let imported = try await HeaderFile(
            """
            #pragma pack(push, 1)
            struct a { char a; int b; };
            #pragma pack(pop)
            struct b { struct a a[2]; }; struct c { int x; struct b b; };
            int f(struct c *c, int n); int g(struct c c); typedef struct b t; t h(void);
            """
        ).imported()
        #expect(imported.declarations == ["int f(struct c *c, int n);"])
        #expect(imported.omissions.map(\.name) == ["g", "h"])
        #expect(imported.isReadable)
    }

    @Test("a layout that differs from the dump is detected")
    func hiddenLayout() async throws {
        let imported = try await HeaderFile(
            "struct s { char a; _Alignas(double) char b; }; int f(struct s *a); int g(struct s a);"
        ).imported()
        // Either clang's dump has the alignment, or the struct stays opaque.
        #expect(imported.functions.contains("f"))
        if let text = imported.declarations.first(where: { $0.hasPrefix("struct s {") }) {
            let definition = CDeclarations(parsing: text).records[0].definition
            #expect(try definition?.layout.get() == CLayout(size: 16, alignment: 8))
        } else {
            #expect(imported.opaque.map(\.name) == ["struct s"] && imported.omissions.map(\.name) == ["g"])
        }
    }

    @Test("only requested functions that the library has are imported")
    func choice() async throws {
        let header = try HeaderFile("int one(void); int two(void); int other(void);\n#define ONE 1\n#define TWO 2\n")
        #expect(try await header.imported(only: "o*e", "TWO").declarations == ["#define TWO 2", "int one(void);"])
        let imported = try await header.imported(symbols: ["two", "three"])
        #expect(imported.functions == ["two"])
        let reasons = imported.omissions.map(\.reason)
        #expect(reasons == Array(repeating: "libtest.so.1 has no symbol with this name", count: 2))
    }

    @Test("a header that only includes others of its folder stands for them")
    func umbrella() async throws {
        let header = try HeaderFile("#include <string.h>\n#include \"one.h\"\n#include \"sub/two.h\"\n", name: "all.h")
        let folder = header.path.dropLast("/all.h".count)
        try header.add(try HeaderFile("#define ONE 1\nint one(int number);", name: "one.h"), as: "\(folder)/one.h")
        try header.add(try HeaderFile("int two(void);", name: "two.h"), as: "\(folder)/sub/two.h")
        #expect(
            try await header.imported().declarations == ["#define ONE 1", "int one(int number);", "int two(void);"])
        // One that declares a function itself stands for itself only.
        let own = try HeaderFile("#include \"one.h\"\nint own(void);")
        try own.add(
            try HeaderFile("int one(int number);", name: "one.h"), as: "\(own.path.dropLast("/test.h".count))/one.h")
        #expect(try await own.imported().functions == ["own"])
    }

    @Test("functions are imported from the first library that has any of them, and others are said to have the rest")
    func libraries() async throws {
        let header = try HeaderFile("int one(void); int two(void); int three(void); int four(void);")
        var request = ImportRequest(
            headers: [header.path],
            libraries: [
                ImportRequest.Library(name: "libm.so.6", symbols: ["sin"]),
                ImportRequest.Library(name: "libb.so.1", symbols: ["two", "three"]),
                ImportRequest.Library(name: "liba.so.1", symbols: ["one", "two", "three"]),
                ImportRequest.Library(name: "libc.so.1", symbols: ["two", "three"]),
            ])
        let imported = try await HeaderFile.imported(request)
        #expect(imported.library == "libb.so.1" && imported.functions == ["two", "three"])
        #expect(
            imported.omissions.map(\.reason) == [
                "libb.so.1 has no symbol with this name, but liba.so.1 has", "libb.so.1 has no symbol with this name",
            ])
        request.libraries.removeLast(3)
        #expect(try await HeaderFile.imported(request).library == "libm.so.6")
    }

    @Test("functions of included headers are imported only if they are part of this one")
    func included() async throws {
        let header = try HeaderFile("#include \"other.h\"\n#include \"test/part.h\"\nint f(number a);")
        let other = try HeaderFile("typedef int number; int hidden(void);", name: "other.h")
        let part = try HeaderFile("int part(void);", name: "part.h")
        let folder = header.path.dropLast("/test.h".count)
        try header.add(other, as: "\(folder)/other.h")
        try header.add(part, as: "\(folder)/test/part.h")
        #expect(try await header.imported().functions == ["part", "f"])
        #expect(try await header.imported().declarations.contains("typedef int number;"))
    }
}
