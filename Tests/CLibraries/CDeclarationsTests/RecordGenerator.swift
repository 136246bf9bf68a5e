import TestSupport

/// Writes structs and unions of all kinds, the same in each run.
struct RecordGenerator {
    private var random: SplitMix64
    /// The tags of records that may be members of others.
    private var reusable: [String] = []
    private var fieldCount = 0
    /// Whether the records have bit-fields.
    private let hasBits: Bool

    private static let scalars = [
        "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long",
        "unsigned long", "long long", "unsigned long long", "float", "double", "long double", "_Bool", "uint8_t",
        "int16_t", "uint32_t", "int64_t", "size_t", "wchar_t", "__int128", "double _Complex", "float _Complex",
        "enum small", "enum large", "enum negative", "enum tiny", "void *", "int (*)(void)",
    ]

    /// The declarations that the types of fields need.
    static let prelude = """
        enum small { small_a, small_b }; enum large { large_a = 1L << 40 }; enum negative { negative_a = -1 };
        enum __attribute__((packed)) tiny { tiny_a };

        """

    init(seed: UInt64, hasBits: Bool = false) {
        random = SplitMix64(seed: seed)
        self.hasBits = hasBits
    }

    /// Returns `struct s7 { … };`, sometimes with pragmas around it.
    mutating func record(_ index: Int) -> (text: String, name: String) {
        let name = "\(chance(4) ? "union" : "struct") s\(index)"
        let isUnion = name.hasPrefix("union")
        fieldCount = 0
        var fields = fields(depth: 0)
        let isFlexible = !isUnion && chance(12)
        if isFlexible { fields += " \(pick(["int", "double", "char"])) tail[];" }
        var text = "\(name.replacing(" s", with: " " + attributes() + "s")) {\(fields) }"
        if chance(8) { text += " __attribute__((aligned(\(pick([1, 2, 4, 8, 16, 32])))))" }
        if chance(8) { text += " __attribute__((packed))" }
        text += ";\n"
        if chance(10) { text = "#pragma pack(push, \(pick([1, 2, 4, 8, 16])))\n\(text)#pragma pack(pop)\n" }
        if !isFlexible { reusable.append(name) }
        return (text, name)
    }

    private mutating func fields(depth: Int) -> String {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in field(depth: depth) }.joined()
    }

    private mutating func field(depth: Int) -> String {
        let name = "f\(fieldCount)"
        fieldCount += 1
        if depth < 3, chance(7) {
            // Without a name, its fields belong to the outer record.
            let inner = "\(chance(2) ? "union" : "struct") \(attributes()){\(fields(depth: depth + 1)) }"
            return chance(2) ? " \(inner);" : " \(inner) \(name)\(chance(3) ? "[2]" : "");"
        }
        if hasBits, chance(3) { return bitField(name) }
        var type = pick(RecordGenerator.scalars)
        if !reusable.isEmpty, chance(4) { type = pick(reusable) }
        var declarator = name
        if chance(4) { declarator += "[\(Int.random(in: 0...5, using: &random))]" }
        if chance(8) { declarator += "[\(Int.random(in: 1...3, using: &random))]" }
        if type == "int (*)(void)" {
            return " int (*\(declarator))(void);"
        }
        if chance(10) { declarator += " __attribute__((aligned(\(pick([1, 2, 4, 8, 16, 64])))))" }
        if chance(14) { declarator += " __attribute__((packed))" }
        return " \(chance(14) ? "_Alignas(64) " : "")\(type) \(declarator);"
    }

    private mutating func bitField(_ name: String) -> String {
        let (type, limit) = pick([
            ("char", 8), ("signed char", 8), ("unsigned short", 16), ("int", 32), ("unsigned int", 32), ("long", 64),
            ("unsigned long long", 64), ("_Bool", 1), ("enum small", 32), ("enum large", 64), ("enum negative", 32),
            ("enum tiny", 8),
        ])
        if chance(6) { return " \(type) : \(chance(2) ? 0 : Int.random(in: 0...limit, using: &random));" }
        var text = " \(type) \(name) : \(Int.random(in: 1...limit, using: &random))"
        if chance(12) { text += " __attribute__((aligned(\(pick([1, 2, 4, 8, 16])))))" }
        if chance(12) { text += " __attribute__((packed))" }
        return text + ";"
    }

    private mutating func attributes() -> String {
        chance(8)
            ? pick(["__attribute__((packed)) ", "__attribute__((packed, aligned(4))) ", "[[gnu::aligned(8)]] "]) : ""
    }

    private mutating func chance(_ inverse: Int) -> Bool { Int.random(in: 0..<inverse, using: &random) == 0 }

    private mutating func pick<T>(_ all: [T]) -> T { all[Int.random(in: 0..<all.count, using: &random)] }
}
