import CDeclarations
import Testing

/// Tests what declarations mean, by printing the types that were read.
struct CDeclaratorTests {
    /// Declarations with their meaning, with all implicit names resolved.
    private static let functions: [(text: String, meaning: String)] = [
        ("int f(void);", "int f(void)"),
        (
            "unsigned long crc32(unsigned long crc, const uint8_t *buf, unsigned int len);",
            "unsigned long crc32(unsigned long crc, const uint8_t *buf, unsigned int len)"
        ),
        // The keywords of a number's type in any order.
        (
            "long unsigned int f(int long unsigned a, long int long b, unsigned c, long double d, double long e);",
            "unsigned long f(unsigned long a, long long b, unsigned int c, long double d, long double e)"
        ),
        (
            "short int f(signed a, signed char b, char unsigned c, int short unsigned d, char e, _Bool f);",
            "short f(int a, signed char b, unsigned char c, unsigned short d, char e, _Bool f)"
        ),
        (
            "int const f(char const *const *volatile p, const char *restrict q);",
            "int f(const char *const *volatile p, const char *restrict q)"
        ),
        // Functions behind pointers, in arrays, as results.
        (
            "void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));",
            "void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))"
        ),
        (
            "void (*signal(int number, void (*handler)(int)))(int);",
            "void (*signal(int number, void (*handler)(int)))(int)"
        ),
        ("int (*(*f)(void))[3];", "int (*(*f)(void))[3]"),
        ("int (*table[4])(int, double);", "int (*table[4])(int, double)"),
        ("int (*(*get(void))[4])(char);", "int (*(*get(void))[4])(char)"),
        (
            "void (*(*xDlSym)(void *, void *, const char *zSymbol))(void);",
            "void (*(*xDlSym)(void *, void *, const char *zSymbol))(void)"
        ),
        ("int ((((f))))(int (x));", "int f(int x)"),
        // Parameters that are arrays or functions are pointers.
        (
            "int f(int a[], const char b[4], int c[static 2][3], int compare(int, int));",
            "int f(int *a, const char *b, int (*c)[3], int (*compare)(int, int))"
        ),
        (
            "int f(int n, int values[n], char text[const restrict 8], int star[*], int m[n * 2][3]);",
            "int f(int n, int *values, char *const restrict text, int *star, int (*m)[3])"
        ),
        ("int f(int (size_t), int time_t);", "int f(int (*)(size_t), int time_t)"),
        (
            "int f(char *(*)(int), int [2], int (*)[2], void (*)(void (*)(int)));",
            "int f(char *(*)(int), int *, int (*)[2], void (*)(void (*)(int)))"
        ),
        // Variadic.
        ("int printf(const char *restrict format, ...);", "int printf(const char *restrict format, ...)"),
        ("int f(...);", "int f(...)"),
        // Keywords and attributes that change nothing.
        ("extern inline int f(void) { return 1 + (2); }", "int f(void)"),
        (
            "__extension__ extern __inline__ int f(int) __attribute__((nothrow, leaf)) __attribute__((pure));",
            "int f(int)"
        ),
        ("[[nodiscard, gnu::pure]] extern int f(int a [[maybe_unused]]);", "int f(int a)"),
        (
            "_Noreturn void f(register int a, char *_Nullable b, char * _Null_unspecified c);",
            "void f(int a, char *_Nullable b, char *c)"
        ),
        (
            "__attribute__((visibility(\"default\"))) int *__attribute__((cold)) f(int __attribute__((unused)) a);",
            "int *f(int a)"
        ),
        ("extern int f (int) __asm__ (\"\" \"g\"), g(char);", "int f(int)"),
        ("int\\\nf(/* none */ void // at all\n)\n;", "int f(void)"),
        // Predeclared names of types.
        (
            "ssize_t f(FILE *a, wchar_t b, off_t c, pid_t d, uintptr_t e, bool f, int_fast16_t g);",
            "ssize_t f(FILE *a, wchar_t b, off_t c, pid_t d, uintptr_t e, bool f, int_fast16_t g)"
        ),
        ("int fstat(int fd, struct stat *buffer);", "int fstat(int fd, struct stat *buffer)"),
    ]

    @Test("a declaration means the same as in C", arguments: functions)
    func meaning(text: String, meaning: String) throws {
        let declarations = CDeclarations(parsing: text)
        #expect(declarations.diagnostics.map(\.description) == [])
        if let function = declarations.functions.first {
            #expect(function.description == meaning)
            #expect(function.obstacle == nil)
        } else {
            let variable = try #require(declarations.variables.first)
            #expect(variable.type.declaration(of: variable.name) == meaning)
        }
        // The printed declaration is read as the same type.
        let again = CDeclarations(parsing: [CSource(name: "a", text: text), CSource(name: "b", text: meaning + ";")])
        #expect(again.diagnostics.map(\.description) == [])
    }

    @Test("a name of a typedef is resolved, and remembered")
    func aliases() throws {
        let declarations = CDeclarations(
            parsing: """
                typedef unsigned char byte, *bytes;
                typedef const bytes constant;
                typedef int compare(const void *, const void *);
                void f(bytes a, constant b, compare *c, compare d);
                compare g;
                """)
        #expect(declarations.diagnostics == [])
        let f = try #require(declarations.function(named: "f"))
        #expect(f.description == "void f(bytes a, const constant b, compare *c, compare *d)")
        #expect(f.type.parameters[0].type.kind == .pointer(.scalar(.unsignedChar)))
        #expect(f.type.parameters[1].type.kind == .pointer(.scalar(.unsignedChar)))
        #expect(f.type.parameters[1].type.alias == "constant")
        #expect(f.type.parameters[2].type == f.type.parameters[3].type)
        #expect(declarations.function(named: "g")?.type.parameters.count == 2)
    }

    @Test("attributes that matter are kept")
    func attributes() throws {
        let declarations = CDeclarations(
            parsing: """
                int stat(const char *path, void *buffer) __asm__("stat64") __attribute__((__nonnull__(1, 2)));
                void all(char *a, int b, char *c) __attribute__((nonnull));
                void one(char *_Nonnull a, int b[static 4]);
                """)
        #expect(declarations.diagnostics == [])
        let stat = try #require(declarations.function(named: "stat"))
        #expect(stat.symbol == "stat64")
        #expect(stat.type.parameters.map(\.isNonnull) == [true, true])
        #expect(declarations.function(named: "all")?.type.parameters.map(\.isNonnull) == [true, false, true])
        let one = try #require(declarations.function(named: "one"))
        #expect(one.type.parameters.map(\.isNonnull) == [true, true])
        #expect(one.type.parameters.map(\.arrayLength) == [nil, 4])
    }
}
