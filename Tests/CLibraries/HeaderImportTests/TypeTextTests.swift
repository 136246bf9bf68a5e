import Testing

@testable import HeaderImport

/// Declarations of types as clang writes them.
struct TypeTextTests {
    private static let types: [(type: String, declaration: String)] = [
        ("int", "int x"), ("int *", "int *x"), ("char *const", "char *const x"), ("int[4]", "int x[4]"),
        ("int (void)", "int x(void)"), ("int (*)(int, char *)", "int (*x)(int, char *)"),
        ("int (*const)(int)", "int (*const x)(int)"), ("char (*)[4]", "char (*x)[4]"),
        ("int (*[3])(void)", "int (*x[3])(void)"), ("void (*(int))(char)", "void (*x(int))(char)"),
        ("void (*(*)(void *))(void)", "void (*(*x)(void *))(void)"), ("int (**)(int)", "int (**x)(int)"),
        ("int (int (*)(int))", "int x(int (*)(int))"), ("struct s *restrict", "struct s *restrict x"),
    ]

    @Test("a name is placed where C requires it", arguments: types)
    func declaration(type: String, declaration: String) {
        #expect(TypeText.declaration(of: "x", type) == declaration)
    }

    @Test("anonymous types are found, whatever the path")
    func unnamed() throws {
        for type in [
            "struct (unnamed struct at /a (b)/c.h:1:25)[2]", "union t::(anonymous at t.c:1:41)[2]",
            "const enum (unnamed enum at x:1:2)[2]",
        ] {
            let range = try #require(TypeText.unnamed(in: type))
            #expect(type[range.upperBound...] == "[2]")
            #expect(["struct", "union", "enum"].contains { type[range].hasPrefix($0) })
        }
        #expect(TypeText.unnamed(in: "struct s *") == nil)
    }

    @Test("patterns match whole names")
    func patterns() {
        let cases: [(pattern: String, name: String, matches: Bool)] = [
            ("", "", true), ("*", "", true), ("*", "abc", true), ("a*c", "abc", true), ("a*c", "ac", true),
            ("a*c", "abcd", false), ("a?c", "abc", true), ("a?c", "ac", false), ("**b*", "aabaa", true),
            ("abc", "abcd", false), ("*a*a*a*a*b", String(repeating: "a", count: 2000), false),
        ]
        for (pattern, name, matches) in cases { #expect(NamePattern(pattern).matches(name) == matches, "\(pattern)") }
    }
}
