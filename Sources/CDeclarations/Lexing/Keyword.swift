/// The words of C that a declaration is made of.
enum Keyword: String {
    case void, char, short, int, long, float, double, signed, unsigned
    case bool = "_Bool"
    case complex = "_Complex"
    case imaginary = "_Imaginary"
    case int128 = "__int128"
    case bitInt = "_BitInt"
    case `struct`, union, `enum`
    case typedef, extern, `static`, inline, register, auto
    case threadLocal = "_Thread_local"
    case noreturn = "_Noreturn"
    case const, volatile, restrict
    case atomic = "_Atomic"
    case nonnull = "_Nonnull"
    case nullable = "_Nullable"
    case nullUnspecified = "_Null_unspecified"
    case alignas = "_Alignas"
    case alignof = "_Alignof"
    case sizeof
    case staticAssert = "_Static_assert"
    case attribute = "__attribute__"
    case declspec = "__declspec"
    case asm = "__asm__"
    case `extension` = "__extension__"
    case typeof

    /// All spellings, with those of GNU and of C23.
    static let spellings: [String: Keyword] = {
        let simple: [Keyword] = [
            .void, .char, .short, .int, .long, .float, .double, .signed, .unsigned, .bool, .complex, .imaginary,
            .int128, .bitInt, .struct, .union, .enum, .typedef, .extern, .static, .inline, .register, .auto,
            .threadLocal, .noreturn, .const, .volatile, .restrict, .atomic, .nonnull, .nullable, .nullUnspecified,
            .alignas, .alignof, .sizeof, .staticAssert, .attribute, .declspec, .asm, .extension, .typeof,
        ]
        var spellings = Dictionary(uniqueKeysWithValues: simple.map { ($0.rawValue, $0) })
        let others: [Keyword: [String]] = [
            .signed: ["__signed", "__signed__"], .inline: ["__inline", "__inline__"],
            .const: ["__const", "__const__"], .volatile: ["__volatile", "__volatile__"],
            .restrict: ["__restrict", "__restrict__"], .complex: ["__complex", "__complex__"],
            .threadLocal: ["__thread", "thread_local"], .alignas: ["alignas"],
            .alignof: ["alignof", "__alignof", "__alignof__"], .staticAssert: ["static_assert"],
            .attribute: ["__attribute"], .asm: ["asm", "__asm"], .typeof: ["__typeof", "__typeof__", "typeof_unqual"],
            .nonnull: ["__nonnull"], .nullable: ["__nullable"],
        ]
        for (keyword, words) in others {
            for word in words { spellings[word] = keyword }
        }
        return spellings
    }()
}
