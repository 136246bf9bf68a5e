import CDeclarations
import TestSupport
import Testing

/// Tests hostile texts: they are read in time, and nothing crashes.
struct HostileDeclarationTests {
    private static let deep = 5000

    private static func times(_ text: String, _ count: Int = deep) -> String { String(repeating: text, count: count) }

    /// Texts with one element repeated many times.
    private static let texts: [(name: String, text: String)] = [
        ("nothing", ""),
        ("parentheses", "int " + times("(") + "f" + times(")") + ";"),
        ("structs in expressions", times("struct { int a[sizeof(")),
        ("structs in parameters", times("void f(struct { int (*a)(")),
        ("all operators", "int a[" + times("1||1&&1|1^1&1==1<1<<1+1*(") + "1" + times(")") + "];"),
        ("open parentheses", times("int (")),
        ("stars", "int " + times("*") + "f;"),
        ("brackets", "int f" + times("[1]") + ";"),
        ("open brackets", "int f" + times("[")),
        ("functions", "int f" + times("(void)") + ";"),
        ("parameters inside of parameters", times("void f(void (*a)(") + times("))") + ";"),
        ("structs", times("struct { ") + times("} a;")),
        ("unions without names", times("union { int a; ") + times("};")),
        ("open braces", times("{")),
        ("closing braces", times("}")),
        ("sums", "int a[" + times("(1+") + "1" + times(")") + "];"),
        ("signs", "int a[" + times("- ") + "1];"),
        ("conditions", "int a[" + times("1 ? 1 : ") + "1];"),
        ("casts", "int a[" + times("(int)") + "1];"),
        ("sizes", "int a[" + times("sizeof(int[") + "1" + times("])") + "];"),
        ("additions", "int a[" + times("1+") + "1];"),
        ("attributes", times("__attribute__((packed)) ") + "int a;"),
        ("arguments of attributes", "__attribute__((a" + times("(") + times(")") + ")) int a;"),
        ("strings", "int f(void) __asm__(" + times("\"a\" ") + ");"),
        ("comments", times("/* */ // \n")),
        ("open comments", times("/* ")),
        ("directives", times("#define A\n") + times("#\n")),
        ("constants", "#define A0 1\n" + (1..<deep).map { "#define A\($0) A\($0 - 1)\n" }.joined()),
        ("markers", times("# 1 \"a\"\nint f(void);\n")),
        ("splices", times("\\\n") + "int f(void);"),
        ("packs", times("#pragma pack(push, 1)\n") + "struct s { int a; };"),
        ("semicolons", times(";")),
        ("errors on a line", times("x;")),
        ("errors", times("x;\n")),
        ("a name", times("a") + ";"),
        ("a number", "int a[" + times("1") + "];"),
        ("declarators", "int a0" + (1..<deep).map { ", a\($0)" }.joined() + ";"),
        ("functions with a long line", times("int f(int a); ")),
        ("fields", "struct s { " + (0..<deep).map { "int a\($0);" }.joined() + " };"),
        ("constants of an enum", "enum e { " + (0..<deep).map { "a\($0)," }.joined() + " };"),
        ("many parameters", "void f(" + times("int, ") + "int);"),
        ("qualifiers", times("const ") + "int a;"),
        ("words", times("long ") + "a;"),
        ("typedefs of pointers", "typedef int *t0;" + (1..<deep).map { "typedef t\($0 - 1) *t\($0);" }.joined()),
        (
            // Without a limit, the number of nodes would double at each step.
            "typedefs of functions",
            "typedef int (*t0)(void);"
                + (1..<deep).map { "typedef t\($0 - 1) (*t\($0))(t\($0 - 1), t\($0 - 1));" }.joined()
        ),
        (
            "structs of structs",
            "struct s0 { char a; };" + (1..<deep).map { "struct s\($0) { struct s\($0 - 1) a, b; };" }.joined()
        ),
        (
            "arrays of arrays",
            "typedef int t0[2];" + (1..<deep).map { "typedef t\($0 - 1) t\($0)[2];" }.joined()
        ),
        ("redeclarations", "typedef int (*t)(int, int (*)(int, int)); " + times("t f(t, t, t);")),
        ("redefinitions", times("struct s { int a; struct { int b; }; };")),
        ("control characters", times("\u{0}\u{1}\u{7f}\u{202e}")),
        ("linkages", times("extern \"C\" { ")),
    ]

    @Test("very long declarations are read or refused", arguments: texts.map(\.name))
    func much(name: String) async throws {
        let text = try #require(HostileDeclarationTests.texts.first { $0.name == name }).text
        // Less than the default stack of a thread, and enough for a build with a sanitizer.
        let declarations = try await onOwnThread(stackSize: 4 << 20) { CDeclarations(parsing: text) }
        #expect(declarations.diagnostics.count <= 100)
        // Every declaration can be shown.
        for function in declarations.functions.suffix(100) { #expect(!function.description.isEmpty) }
        for type in declarations.typedefs.suffix(100) { #expect(!type.type.declaration(of: "x").isEmpty) }
    }

    @Test("too deep nesting is reported")
    func nesting() {
        for name in ["parentheses", "stars", "structs", "sums", "typedefs of functions"] {
            let text = HostileDeclarationTests.texts.first { $0.name == name }?.text ?? ""
            let message = CDeclarations(parsing: text).diagnostics.first?.message ?? ""
            #expect(message.contains("nested too deeply") || message.contains("too many parts"), "\(name): \(message)")
        }
    }

    @Test("a text of more than 16 MB is refused as a whole")
    func huge() {
        let bytes = [UInt8](repeating: UInt8(ascii: ";"), count: 16 << 20 | 1)
        let declarations = CDeclarations(parsing: [CSource(name: "d", bytes: bytes)])
        #expect(declarations.diagnostics.map(\.message) == ["the text is larger than 16 MB"])
    }

    /// The input of mutations: declarations of every kind.
    private static let corpus = [
        "unsigned long crc32(unsigned long crc, const uint8_t *buf, unsigned int len);",
        "typedef struct z_stream_s { const uint8_t *next_in; struct internal *state; int (*f)(void *, int); } *z_streamp;",
        "struct a { char b[2][3]; union { int c; double d[]; }; struct { int e : 3; } f; } __attribute__((packed));",
        "enum e { A, B = 1 << 3, C = (A | B) + sizeof(int) * 'x', D = A ? -1 : ~0u, }; #define N 0x1F\n",
        "#define LONG 123456789012345LL\nint g(int a[LONG % 7], ...) __asm__(\"g64\");",
        "void (*signal(int sig, void (*func)(int)))(int); extern \"C\" { int h(void); }",
        "static inline _Noreturn void *k(volatile char *restrict p, size_t n) { return p + n; }",
        "#pragma pack(push, 2)\nstruct __attribute__((aligned(8))) s { _Alignas(16) char a; };\n# 3 \"x.h\"\n",
        "_Static_assert(sizeof(struct a) > 3, \"text\"); [[nodiscard]] long double _Complex z(va_list, _Atomic int *);",
    ]

    /// Pieces that mutations insert.
    private static let pieces = [
        "(", ")", "[", "]", "{", "}", ";", ",", "*", "...", "struct", "union a", "enum", "typedef", "int", "const", "=",
        ":",
        "__attribute__((", "sizeof(", "0x7fffffffffffffff", "-1", "\"", "'", "/*", "//", "\\\n", "\n#", "#define X ",
        "<<",
        "a", "\u{0}", "é", "_Alignas(", "extern \"C\" {", "0", "/", "%", "?",
    ]

    /// scripts/fuzz tries many more, and chooses those that reach new code.
    private static let mutants = TestLength.rounds(20_000, long: 100_000)

    @Test("mutated declarations crash nothing")
    func mutations() async throws {
        let broken = try await onOwnThread {
            var random = SplitMix64(seed: 1)
            return (0..<HostileDeclarationTests.mutants).count { _ in
                HostileDeclarationTests.isBroken(HostileDeclarationTests.mutant(&random))
            }
        }
        #expect(broken > HostileDeclarationTests.mutants / 2 && broken < HostileDeclarationTests.mutants)
    }

    /// Reads declarations, and inspects all of them.
    private static func isBroken(_ bytes: [UInt8]) -> Bool {
        let declarations = CDeclarations(parsing: [CSource(name: "m", bytes: bytes)])
        for function in declarations.functions { #expect(!function.description.isEmpty) }
        for (record, definition) in declarations.records {
            guard let definition, case .success(let layout) = definition.layout else { continue }
            let end = definition.fields.map(\.offset).max() ?? 0
            #expect(layout.size >= end && layout.size % layout.alignment == 0, "\(record.name)")
        }
        return !declarations.diagnostics.isEmpty
    }

    private static func mutant(_ random: inout SplitMix64) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0...Int.random(in: 0...2, using: &random) {
            bytes += Array(corpus[Int.random(in: 0..<corpus.count, using: &random)].utf8)
        }
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            guard !bytes.isEmpty else { break }
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 1...12, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0..<bytes.count, using: &random))
            case 3: bytes.removeLast(bytes.count - end)
            default:
                let piece = pieces[Int.random(in: 0..<pieces.count, using: &random)]
                bytes.insert(contentsOf: piece.utf8, at: place)
            }
        }
        return bytes
    }
}
