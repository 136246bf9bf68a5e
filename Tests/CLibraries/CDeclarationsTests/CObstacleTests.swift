import CDeclarations
import Testing

/// Declarations that are understood but cannot be called.
struct CObstacleTests {
    private static let functions: [(text: String, reason: String)] = [
        ("int f();", "'()' does not declare parameters: write '(void)', or declare them"),
        (
            "int f(const char *format, va_list list);",
            "its parameter 'list' can't be passed: only a compiler can create a va_list"
        ),
        ("double _Complex f(void);", "its result can't be passed: values of type double _Complex are not supported"),
        ("int f(float _Complex);", "its parameter 1 can't be passed: values of type float _Complex are not supported"),
        (
            "int f(unsigned __int128 a);",
            "its parameter 'a' can't be passed: values of type unsigned __int128 are not supported"
        ),
        ("_Float128 f(void);", "its result can't be passed: values of type _Float128 are not supported"),
        ("int f(_BitInt(7) a);", "its parameter 'a' can't be passed: values of type _BitInt(7) are not supported"),
        ("int f(_Atomic int a);", "its parameter 'a' can't be passed: values of type _Atomic(int) are not supported"),
        ("int f(struct s a);", "its parameter 'a' can't be passed: struct s is not defined"),
        (
            "struct s { int : 3; int a; }; int f(struct s a);",
            "its parameter 'a' can't be passed: struct s has a bit-field without a name"
        ),
        (
            "struct s { int a : 3; int : 0; }; struct t { struct s b[2]; }; struct t f(void);",
            "its result can't be passed: the field 'b' of struct t can't be passed: "
                + "struct s has a bit-field without a name"
        ),
        (
            "struct s { int n; int a[]; }; int f(struct s a);",
            "its parameter 'a' can't be passed: struct s ends with an array without a length"
        ),
        (
            "struct s { int a; double _Complex z; }; int f(struct s a);",
            "its parameter 'a' can't be passed: the field 'z' of struct s can't be passed: "
                + "values of type double _Complex are not supported"
        ),
        (
            "typedef union { int *a; char *b; } u __attribute__((transparent_union)); int f(u a);",
            "its parameter 'a' can't be passed: u is a transparent union"
        ),
        (
            "union u { int *a; char *b; } __attribute__((transparent_union)); int f(union u a);",
            "its parameter 'a' can't be passed: union u is a transparent union"
        ),
        (
            "typedef int v __attribute__((vector_size(16))); v f(void);",
            "its result can't be passed: types with the attribute 'vector_size' are not supported"
        ),
        (
            "typedef int d __attribute__((mode(DI))); int f(d a);",
            "its parameter 'a' can't be passed: types with the attribute 'mode' are not supported"
        ),
        (
            "typedef int i __attribute__((aligned(16))); int f(i a);",
            "its parameter 'a' can't be passed: the attribute 'aligned(16)' of a typedef is not supported"
        ),
        ("int f(int) __attribute__((ms_abi));", "its calling convention 'ms_abi' is not supported"),
        ("static inline int f(void) { return 1; }", "a static function has no symbol"),
        ("inline int f(void) { return 1; }", "an inline function has no symbol"),
        ("int f(enum unknown a);", "its parameter 'a' can't be passed: enum unknown is not defined"),
    ]

    @Test("a function that cannot be called has a reason", arguments: functions)
    func reasons(text: String, reason: String) {
        let declarations = CDeclarations(parsing: text)
        #expect(declarations.diagnostics.map(\.description) == [])
        #expect(declarations.function(named: "f")?.obstacle?.reason ?? "" == reason)
    }

    @Test("a pointer to an unsupported type is still a pointer")
    func pointers() {
        let declarations = CDeclarations(
            parsing: """
                struct s { int a : 3; };
                int f(struct s *a, double _Complex *b, va_list *c, struct t *d, int (*e)(), enum e *g, __int128 *h);
                """)
        #expect(declarations.diagnostics.map(\.description) == [])
        #expect(declarations.functions.first?.obstacle == nil)
    }

    @Test("a struct may be defined after the function that takes it")
    func later() {
        let declarations = CDeclarations(parsing: "struct s f(struct s a); struct s { int a; };")
        #expect(declarations.functions.first?.obstacle == nil)
    }

    @Test("a callback is checked in the same way")
    func callbacks() throws {
        let declarations = CDeclarations(parsing: "void f(void (*a)(int), void (*b)(va_list), int (*c)());")
        let types = try #require(declarations.functions.first).type.parameters.compactMap(\.type.pointee)
        let reasons = types.map { type -> String? in
            guard case .function(let function) = type.kind else { return "no function" }
            return declarations.obstacle(to: function)?.reason
        }
        #expect(reasons[0] == nil)
        #expect(reasons[1]?.contains("va_list") == true)
        #expect(reasons[2]?.contains("does not declare parameters") == true)
    }
}
