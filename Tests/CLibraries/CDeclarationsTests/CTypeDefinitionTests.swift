import CDeclarations
import Testing

/// Structs, unions, enums and constants.
struct CTypeDefinitionTests {
    /// The fields with their offsets, and the size: "a:0 b:4 =8/4".
    private static let records: [(text: String, fields: String)] = [
        ("struct s { char a; int b; };", "a:0 b:4 =8/4"),
        ("struct s { int a, *b, c[3], (*d)(int); };", "a:0 b:8 c:16 d:32 =40/8"),
        (
            "struct s { char a; struct { char b; double c; }; union { int d; char e[5]; }; };",
            "a:0 b:8 c:16 d:24 e:24 =32/8"
        ),
        ("struct s { char a; struct t { short b; } c; };", "a:0 c:2 =4/2"),
        ("struct s { struct s *next; struct unknown *other; };", "next:0 other:8 =16/8"),
        ("union s { char a[3]; short b; };", "a:0 b:0 =4/2"),
        ("struct s { };", "=0/1"),
        ("struct s { int n; double values[]; };", "n:0 values:8 =8/8"),
        ("struct __attribute__((packed)) s { char a; int b; };", "a:0 b:1 =5/1"),
        ("struct s { char a; int b; } __attribute__((__packed__, aligned(2)));", "a:0 b:1 =6/2"),
        ("struct s { char a; int b __attribute__((packed)); };", "a:0 b:1 =5/1"),
        ("struct s { char a; _Alignas(16) char b; char c; };", "a:0 b:16 c:17 =32/16"),
        ("struct s { char a; char b __attribute__((aligned(8))); };", "a:0 b:8 =16/8"),
        ("struct __attribute__((aligned)) s { char a; };", "a:0 =16/16"),
        ("struct s { char a; _Alignas(double) char b; };", "a:0 b:8 =16/8"),
        ("#pragma pack(push, 2)\nstruct s { char a; long b; };\n#pragma pack(pop)", "a:0 b:2 =10/2"),
        ("struct s { char a[sizeof(long) * 2 + 1]; char b[(1 << 4) - 0xF]; };", "a:0 b:17 =18/1"),
        ("struct s { char a; __int128 b; long double c; };", "a:0 b:16 c:32 =48/16"),
        ("struct s { char a; float _Complex b; _Float128 c; va_list d; };", "a:0 b:4 c:16 d:32 =64/16"),
    ]

    @Test("fields have the same offsets as in C", arguments: records)
    func layout(text: String, fields: String) throws {
        let declarations = CDeclarations(parsing: text, target: .amd64)
        #expect(declarations.diagnostics.map(\.description) == [])
        let record = try #require(declarations.records.first { $0.record.tag == "s" })
        let definition = try #require(record.definition)
        let layout = try definition.layout.get()
        let offsets = definition.namedFields.map { "\($0.name ?? "?"):\($0.offset) " }.joined()
        #expect("\(offsets)=\(layout.size)/\(layout.alignment)" == fields)
    }

    @Test("attributes that change offsets are recognised")
    func natural() throws {
        let declarations = CDeclarations(
            parsing: """
                struct plain { char a; int b; };
                struct packed { char a; int b; } __attribute__((packed));
                struct outer { struct packed a[2]; };
                struct same { int a; int b; } __attribute__((packed, aligned(4)));
                """)
        let natural = declarations.records.map { $0.definition?.isNatural }
        #expect(natural == [true, false, false, true])
    }

    @Test("an enum is as large as its constants need")
    func enumerations() throws {
        let declarations = CDeclarations(
            parsing: """
                enum small { a, b = 5, c, d = b | 8, e = 'x', f = -1 + sizeof(int) * 0 == 0 };
                enum negative { n = -1 };
                enum unsigned_ { u = 0x80000000 };
                enum large { l = 1LL << 40, m };
                enum largest { o = 0xFFFFFFFFFFFFFFFF };
                enum mixed { p = -1, q = 0x80000000 };
                enum __attribute__((packed)) byte { x = 255 };
                enum fixed : short { y = 3 };
                typedef enum { z } named;
                """)
        #expect(declarations.diagnostics.map(\.description) == [])
        let names = ["small", "negative", "unsigned_", "large", "largest", "mixed", "byte", "fixed"]
        let types = names.map { name -> CScalar? in
            guard case .enumeration(let found)? = declarations.type(named: "enum \(name)")?.kind else { return nil }
            return found.underlying
        }
        let expected: [CScalar] = [
            .unsignedInt, .int, .unsignedInt, .unsignedLong, .unsignedLong, .long, .unsignedChar, .short,
        ]
        #expect(types == expected)
        let values = Dictionary(uniqueKeysWithValues: declarations.constants.map { ($0.name, $0.value) })
        #expect(values["c"] == 6 && values["d"] == 13 && values["e"] == 120 && values["m"] == (1 << 40) + 1)
        #expect(values["o"] == Int128(UInt64.max) && values["q"] == 0x8000_0000)
        guard case .enumeration(let named)? = declarations.type(named: "named")?.kind else {
            Issue.record("expected an enum")
            return
        }
        #expect(named.name == "named" && named.constants.map(\.name) == ["z"])
    }

    /// Constants and their values; nil for a type of more than 64 bits, or a failure.
    private static let expressions: [(text: String, value: Int128)] = [
        ("10", 10), ("0x10", 16), ("010", 8), ("0b101", 5), ("-1", -1), ("(2 + 3) * 4 - 1", 19),
        ("7 / 2 % 2", 1), ("-7 / 2", -3), ("1 << 10 >> 3", 128), ("~0", -1), ("~0u", 0xFFFF_FFFF),
        ("!5 || 3 && 2", 1), ("5 > 3 ? 'a' : 'b'", 97), ("0 ? 1 : 0 ? 2 : 3", 3), ("'\\n' + '\\x41' + '\\0'", 75),
        ("sizeof(int[3])", 12), ("sizeof(char *) * 2", 16), ("_Alignof(double)", 8), ("sizeof 1L", 8),
        ("(unsigned char)300", 44), ("(char)200", -56), ("(_Bool)7", 1), ("-1 < 0u", 0), ("0xFFFFFFFF + 1", 0),
        ("0xFFFFFFFF + 1L", 0x1_0000_0000), ("18446744073709551615u", Int128(UInt64.max)), ("1 << 31", -0x8000_0000),
        ("2147483647", 0x7FFF_FFFF), ("100lu + 1LLU", 101), ("6 & 3 | 8 ^ 1", 11), ("1 == 1 != 0", 1),
        ("sizeof(struct { char a; int b; })", 8),
    ]

    @Test("a constant expression has the same value as in C", arguments: expressions)
    func constants(text: String, value: Int128) {
        let declarations = CDeclarations(
            parsing: "#define A \(text)\nenum { B = \(text) };\nstatic const long C = \(text);", target: .amd64)
        #expect(declarations.diagnostics.map(\.description) == [])
        #expect(declarations.constants.map(\.value) == [value, value, Int128(Int64(truncatingIfNeeded: value))])
    }

    private static let values: [(text: String, value: CNamedValue.Value?)] = [
        ("\"1.2.13\"", .text("1.2.13")), ("(\"a\" \"\\n\\x41\")", .text("a\nA")), ("\"é\"", .text("é")),
        ("\"\"", .text("")),
        ("B \"/\" B", .text("b/b")), ("1.5", .number(1.5)), ("-.5e-1L", .number(-0.05)), ("(2 * PI)", .number(6.5)),
        ("1 / 2 + 1.", .number(1)), ("0x1.8p1", .number(3)), ("0.1f", .number(Double(Float(0.1)))),
        ("0.1f + 1", .number(Double(Float(0.1) + 1))), ("- - 1e3", .number(1000)), ("1.0 / (3 - 1)", .number(0.5)),
        ("\"a\\0\"", nil), ("\"\\xff\"", nil), ("L\"a\"", nil), ("1e999", nil), ("1.0 / 0", nil), ("1.5.2", nil),
        ("1.5 % 2", nil),
        ("\"a\" + 1", nil), ("(1.5", nil), ("(\"a\"", nil), ("1 / 0 + 1.0", nil), ("1.5 + X", nil), ("-\"a\"", nil),
    ]

    @Test("texts and floating-point numbers have names too", arguments: values)
    func namedValues(text: String, value: CNamedValue.Value?) {
        let declarations = CDeclarations(
            parsing: "#define PI 3.25\n#define B \"b\"\n#define A \(text)\n#define PI 3.25\n", target: .amd64)
        #expect(declarations.namedValues.first { $0.name == "A" }?.value == value)
        #expect(declarations.diagnostics.count == (value == nil ? 1 : 0))
        #expect(declarations.constants.isEmpty)
        let other = CDeclarations(parsing: "#define A \(text)\n#define A 7\nenum { A };", target: .amd64)
        #expect(other.namedValues.count + other.constants.count == 1)
    }

    @Test("a repeated identical definition is kept once")
    func redeclarations() {
        let text = """
            #define N 3
            struct s { int a; struct { int b; } c; };
            enum e { x, y };
            typedef struct s t;
            int f(struct s *a, int b[]);
            extern int v;
            """
        let declarations = CDeclarations(
            parsing: [CSource(name: "a", text: text), CSource(name: "b", text: text + "int f(t *, int *);")])
        #expect(declarations.diagnostics.map(\.description) == [])
        #expect(declarations.functions.count == 1 && declarations.typedefs.count == 1)
        #expect(declarations.constants.map(\.name) == ["N", "x", "y"])
    }

    @Test("plain char depends on the machine")
    func targets() throws {
        for (target, isSigned, type) in [(CTarget.amd64, true, CScalar.int), (.arm64, false, .unsignedInt)] {
            let declarations = CDeclarations(parsing: "#define A (char)200\nwchar_t f(void);", target: target)
            #expect(declarations.constants.first?.value == (isSigned ? -56 : 200))
            #expect(declarations.functions.first?.type.result.kind == .scalar(type))
        }
    }
}
