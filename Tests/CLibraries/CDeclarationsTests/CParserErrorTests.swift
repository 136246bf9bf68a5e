import CDeclarations
import Testing

/// Tests errors of malformed declarations, and whether the rest is still read.
struct CParserErrorTests {
    /// Texts with all their errors. If a text declares `good`, it is found.
    private static let errors: [(text: String, messages: [String])] = [
        ("int f(void)\nint good(void);", ["2:1 expected ';' or ',' after the declaration, found 'int'"]),
        (
            "int f(void) other(void);\nint good(void);",
            ["1:13 expected ';' or ',' after the declaration, found 'other'"]
        ),
        ("int f(foo a);\nint good(void);", ["1:7 expected a type, found 'foo', which is not a declared type"]),
        (
            "int f(int a; int b);\nint good(void);",
            [
                "1:12 expected ')' or ',' after a parameter, found ';'",
                "1:19 expected ';' or ',' after the declaration, found ')'",
            ]
        ),
        ("struct s { int x y; int z; }; int good(struct s *);", ["1:18 expected ';' after the field, found 'y'"]),
        ("struct s { int x int y; }; int good(struct s *);", ["1:18 expected ';' after the field, found 'int'"]),
        (
            "foo f(int a) { return 1; } int good(void);",
            ["1:1 expected a type, found 'foo', which is not a declared type"]
        ),
        (
            "typedef struct { foo a; } t; int good(t *);",
            ["1:18 expected a type, found 'foo', which is not a declared type"]
        ),
        (
            "struct a { struct a x; }; int good(void);",
            ["1:21 expected a type with a known size for 'x', found 'struct a', which can't contain itself"]
        ),
        ("struct a { struct a x[2]; struct b *b; };", ["1:22 expected elements with a known size, found 'struct a'"]),
        (
            "struct a { struct b x; void y; int z(void); int w[]; int v; };",
            [
                "1:21 expected a type with a known size for 'x', found 'struct b', which is not defined here",
                "1:29 expected a type with a known size for 'y', found 'void', which has no size",
                "1:36 expected a type with a known size for 'z', found 'int (void)', which has no size",
                "1:58 the field 'v' can't follow an array without a length",
            ]
        ),
        ("struct a { struct a { int b; } c; };", ["1:12 struct a is defined inside itself"]),
        ("int f(int a[-1]);", ["1:13 expected a length from 0 to 2^47, found -1"]),
        (
            "int a[0x7fffffffffffffff]; long b[0x700000000000]; int good(void);",
            [
                "1:7 expected a length from 0 to 2^47, found 9223372036854775807",
                "1:34 the array exceeds the address space",
            ]
        ),
        (
            "enum e { A, B = ..., C };",
            ["1:17 '...' needs a compiler, which is not used here: write the integer"]
        ),
        (
            "enum e { A, ... }; int good(void);",
            ["1:13 '...' needs a compiler, which is not used here: list all constants"]
        ),
        (
            "struct s { int a; ...; }; int good(void);",
            ["1:19 '...' needs a compiler, which is not used here: list all fields"]
        ),
        ("enum e { A = 0xFFFFFFFFFFFFFFFF, B };", ["1:34 the value of 'B' does not fit into any integer type"]),
        ("enum e { A = -1, B = 0xFFFFFFFFFFFFFFFF };", ["1:1 no integer type can represent all these constants"]),
        (
            "enum e { A B }; enum f { C = }; enum { D = 1.5 }; enum {",
            [
                "1:12 expected ',' or '}' after a constant, found 'B'", "1:30 expected an integer, found '}'",
                "1:44 expected an integer of at most 64 bits, found '1.5'",
                "1:57 expected the name of a constant or '}', found the end",
            ]
        ),
        (
            """
            #define N
            #define M(x) x
            #define S "text" 1
            #define T 1.5 & 1
            #define U V + 1
            #define 5 6
            #include <stdio.h>
            #ifdef X
            #define K 1 +
            #define L 1 2
            #undef L
            #define long 2
            int good(void);
            """,
            [
                "1:10 expected a value after '#define N': macros are not expanded here",
                "2:10 expected a value after '#define M': macros are not expanded here",
                "3:18 expected nothing after the value, found '1'",
                "4:15 expected nothing after the value, found '&'",
                "5:11 expected an integer, found 'V', which is not a known constant",
                "6:9 expected a name after '#define', found '5'",
                "7:1 '#include' needs a preprocessor: write the declarations themselves, as 'hslink import' does",
                "8:1 '#ifdef' needs a preprocessor: write the declarations themselves, as 'hslink import' does",
                "9:14 expected an integer, found the end",
                "10:13 expected nothing after the integer, found '2'",
                "11:1 '#undef' needs a preprocessor: write the declarations themselves, as 'hslink import' does",
                "12:9 expected a name after '#define', found 'long'",
            ]
        ),
        (
            "int f(int), f(char); int f(int); int good(void);",
            ["1:13 expected 'int f(int)' as declared at d:1:5, found 'int f(char)'"]
        ),
        (
            "struct s { int a; }; union s; enum s; enum t { A }; struct t;",
            [
                "1:22 's' is already the tag of struct s", "1:31 's' is already the tag of struct s",
                "1:53 't' is already the tag of enum t",
            ]
        ),
        (
            "struct s { int a; }; struct s { int b; }; enum e { A }; enum e { A, B }; enum g { A = 1 };",
            [
                "1:22 struct s is already defined differently at d:1:1", "1:57 enum e is already defined differently",
                "1:83 'A' is already a constant (0): choose another name",
            ]
        ),
        (
            "int x = 3; static const int y = 1 / 0; static const double z = 1; int good(void);",
            [
                "1:9 an initialiser is not allowed here: only 'static const' integers can have one",
                "1:35 1 / 0 is undefined in C",
                "1:64 an initialiser is not allowed here: only 'static const' integers can have one",
            ]
        ),
        (
            """
            static const int a = 1 << 32; static const int b = 0x7fffffff + 1; static const int c = -(-0x7fffffff - 1);
            enum { d = 5 % 0 }; enum { e = 1 << -1 }; enum { f = 0x7fffffffffffffff * 2 };
            """,
            [
                "1:24 1 << 32 is undefined in C", "1:63 2147483647 + 1 is undefined in C",
                "1:89 -(-2147483648) is undefined in C", "2:14 5 % 0 is undefined in C",
                "2:34 1 << -1 is undefined in C", "2:73 9223372036854775807 * 2 is undefined in C",
            ]
        ),
        ("int f(void)); int good(void);", ["1:12 expected ';' or ',' after the declaration, found ')'"]),
        (
            "int f(void void); int h(int void); int good(void);",
            ["1:7 'void void' is not a type", "1:25 'int void' is not a type"]
        ),
        ("other(int a);", ["1:1 expected a type, found 'other', which is not a declared type"]),
        (
            "long long long x; unsigned float y; signed unsigned z; int int w; short double v; double _Imaginary u;",
            [
                "1:1 'long long long' is not a type", "1:19 'unsigned float' is not a type",
                "1:37 'signed unsigned' is not a type", "1:56 'int int' is not a type",
                "1:67 'short double' is not a type",
                "1:83 'double _Imaginary' is not a type",
            ]
        ),
        (
            "typedef int static x; typedef int t; int t; int good(void);",
            [
                "1:13 expected only one of 'typedef', 'extern' and 'static', found 'static'",
                "1:42 't' is already the typedef at d:1:35: choose another name",
            ]
        ),
        ("int f(int a, ..., int b); int good(void);", ["1:17 expected ')' after '...', found ','"]),
        ("int f(int a int b);", ["1:13 expected ')' or ',' after a parameter, found 'int'"]),
        ("@ int f(void); int good(void);", ["1:1 expected a type, found '@'"]),
        ("/* no end\nint f(void);", ["1:1 expected a type, found an unterminated comment"]),
        (
            "int f(char *) __asm__(\"f\n\");\nint swallowed(void); int good(void);",
            ["1:23 expected the name of a symbol in quotes, found an unterminated string"]
        ),
        (
            "static const int a = 'ab'; static const int b = '\\q'; static const int c = 'a;",
            [
                "1:22 expected an integer, found an apostrophe that does not begin a character constant",
                "1:49 expected an integer, found an apostrophe that does not begin a character constant",
                "1:76 expected an integer, found an apostrophe that does not begin a character constant",
            ]
        ),
        (
            "int f(const char *s) __asm__(5); int g(void) __asm__(\"a b\");",
            [
                "1:30 expected the name of a symbol in quotes, found '5'",
                "1:54 expected the name of a symbol, without spaces",
            ]
        ),
        ("int é(void); int good(void);", ["1:5 expected a name, found 'é'"]),
        (
            "int f(int &a); int g(int ^b); class X; int (^h)(void); int f(std::string s);",
            [
                "1:11 C++ references are not supported: expected a pointer",
                "1:26 blocks are not supported: expected a function pointer",
                "1:31 expected a type, found 'class', which is not a declared type",
                "1:45 blocks are not supported: expected a function pointer",
                "1:62 expected a type, found 'std', which is not a declared type",
            ]
        ),
        (
            "struct s { int a; int a; struct { int a; }; };",
            ["1:23 duplicate field 'a'", "1:26 duplicate field 'a'"]
        ),
        (
            "int x : 3; _Static_assert(sizeof(int) == 8, \"eight\"); _Static_assert(1);",
            [
                "1:7 expected ';' or ',' after the declaration, found ':'",
                "1:12 the assertion failed: eight",
            ]
        ),
        (
            "int (*f(void))(void), h(void)(void), i(void)[3]; int j(void)[3];",
            ["1:23 a function can't return 'int (void)'", "1:54 a function can't return 'int[3]'"]
        ),
        (
            "typedef int t __attribute__((packed)); struct { int a; }; int; ; int good(void);",
            [
                "1:13 'packed' has no effect here: put it after the '}' of the struct",
                "1:40 expected a name or a tag, found only a type",
            ]
        ),
        (
            "void f(void), v; void x[3]; int y[][]; int good(void);",
            [
                "1:15 a variable can't have type 'void'", "1:24 expected elements with a known size, found 'void'",
                "1:34 expected elements with a known size, found 'int[]'",
            ]
        ),
        (
            "int f(int a,); int g(int (*)(int,); int good(void);",
            ["1:13 expected a type, found ')'", "1:34 expected a type, found ')'"]
        ),
        ("struct s { int a", ["1:17 expected ';' after the field, found the end"]),
        ("struct s { int a; } x", ["1:22 expected ';' or ',' after the declaration, found the end"]),
        ("extern \"C\" { int good(void);", ["1:29 expected '}' to close 'extern \"C\" {', found the end"]),
        (
            "__attribute__((aligned(3))) int x; int y __attribute__((aligned(1 << 30))); int z __attribute__((packed;",
            [
                "1:24 expected a power of two up to 2^28 as alignment, found 3",
                "1:65 expected a power of two up to 2^28 as alignment, found 1073741824",
                "1:104 expected ',' or ')' after an attribute, found ';'",
            ]
        ),
        (
            "int x[10000000000000000000000000000000]; int y[08]; int z[0x]; int w[1xyz]; int v[1llu2]; int u[0x+1];",
            [
                "1:7 expected an integer of at most 64 bits, found '10000000000000000000000000000000'",
                "1:48 expected an integer of at most 64 bits, found '08'",
                "1:59 expected an integer of at most 64 bits, found '0x'",
                "1:70 expected an integer of at most 64 bits, found '1xyz'",
                "1:83 expected an integer of at most 64 bits, found '1llu2'",
                "1:97 expected an integer of at most 64 bits, found '0x'",
            ]
        ),
        (
            "typeof(int) x; __auto_type y; auto z; int good(void);",
            [
                "1:1 'typeof' is not supported: write the type itself",
                "1:16 expected a type, found '__auto_type', which is not a declared type",
                "1:31 expected a type, found 'auto'",
            ]
        ),
        (
            "#pragma pack(3)\n#pragma pack(pop)\n#pragma pack(other)\n#pragma once\nint good(void);",
            [
                "1:14 expected 1, 2, 4, 8 or 16 in '#pragma pack', found 3", "2:14 expected 'push' before 'pop'",
                "3:14 expected 'push', 'pop' or a number in '#pragma pack', found 'other'",
            ]
        ),
        (
            "int f(static int a, typedef int b); struct s { static int a; extern int b; }; int good(void);",
            [
                "1:7 expected a parameter without 'typedef', 'extern' or 'static'",
                "1:48 expected a field without a storage class",
                "1:62 expected a field without a storage class",
            ]
        ),
        (
            "int x[sizeof(void)]; int y[sizeof(struct s)]; int z[(double)1]; int w[sizeof(int()];",
            [
                "1:7 'sizeof' can't be evaluated: void has no size",
                "1:28 'sizeof' can't be evaluated: struct s is not defined",
                "1:53 expected an integer type in a cast, found 'double'",
                "1:83 expected ')' after the type, found ']'",
            ]
        ),
        ("} int good(void);", ["1:1 expected a type, found '}'"]),
    ]

    @Test("an error names line and column, and what was expected", arguments: errors)
    func messages(text: String, messages: [String]) {
        let declarations = CDeclarations(parsing: text, name: "d")
        #expect(declarations.diagnostics.map { "\($0.place.line):\($0.place.column) \($0.message)" } == messages)
        if text.contains("good") { #expect(declarations.function(named: "good")?.obstacle == nil) }
        #expect(text.contains("good") == (declarations.function(named: "good") != nil))
    }

    @Test("the line is shown, with a caret below")
    func caret() {
        let cases: [(text: String, shown: String)] = [
            (
                "int f(void);\n\tint g(\tfoo a);\n",
                "d:2:9: expected a type, found 'foo', which is not a declared type\n     int g( foo a);\n            ^"
            ),
            (
                "int é;", "d:1:5: expected a name, found 'é'\n    int é;\n        ^"
            ),
            (
                "int f(\u{1b}[2J\u{202e}\u{0}x);",
                "d:1:7: expected a type, found the control character 0x1b\n"
                    + "    int f(\u{fffd}[2J\u{fffd}\u{fffd}x);\n          ^"
            ),
            (
                "int f(int a",
                "d:1:12: expected ')' or ',' after a parameter, found the end\n"
                    + "    int f(int a\n               ^"
            ),
            (
                "# 7 \"zlib.h\" 2\nint a;\nfoo b;",
                "zlib.h:8:1: expected a type, found 'foo', which is not a declared type\n    foo b;\n    ^"
            ),
        ]
        for (text, shown) in cases {
            #expect(CDeclarations(parsing: text, name: "d").diagnostics.first?.description == shown)
        }
    }

    @Test("only the part of a long line around the error is shown")
    func longLine() throws {
        let filler = String(repeating: "int a; ", count: 40)
        let declarations = CDeclarations(parsing: filler + "foo b; " + filler)
        let diagnostic = try #require(declarations.diagnostics.first)
        #expect(diagnostic.place.column == filler.count + 1)
        let line = Array(diagnostic.excerpt)
        #expect(line.count <= 102 && line.first == "…" && line.last == "…")
        #expect(String(line[diagnostic.caretOffset...].prefix(6)) == "foo b;")
    }

    @Test("bytes that are not text are errors at their position")
    func bytes() {
        let bytes = Array("int f(void); int g(".utf8) + [0xFF, 0x00] + Array("); int good(void);".utf8)
        let declarations = CDeclarations(parsing: [CSource(name: "d", bytes: bytes)])
        #expect(
            declarations.diagnostics.map(\.message) == ["expected a type, found a byte that is not UTF-8 (0xff)"])
        #expect(declarations.functions.map(\.name) == ["f", "good"])
    }
}
