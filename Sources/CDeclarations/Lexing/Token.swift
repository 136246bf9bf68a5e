/// A word, number or sign of the text, or the reason why there is none.
struct Token {
    enum Kind: Equatable {
        case name(String)
        case keyword(Keyword)
        /// As it was written.
        case number(String)
        /// The code of a character constant.
        case character(Int)
        /// The content of a string, escapes resolved.
        case string(String)
        case sign(Sign)
        /// Not a token of C; the text says what was found.
        case wrong(String)
        case end
    }

    let kind: Kind
    /// Of its first byte.
    let offset: Int

    /// For "found …" in messages.
    var text: String {
        switch kind {
        case .name(let name): "'\(name.shortened)'"
        case .keyword(let keyword): "'\(keyword.rawValue)'"
        case .number(let text): "'\(text.shortened)'"
        case .character: "a character constant"
        case .string: "a string"
        case .sign(let sign): "'\(sign.rawValue)'"
        case .wrong(let reason): reason
        case .end: "the end"
        }
    }
}

extension String {
    /// The text, cut after 60 characters: names of a hostile text may have any length.
    var shortened: String { utf8.count <= 60 ? self : "\(prefix(60))…" }
}

/// A line of the preprocessor, `# word tokens…`.
struct Directive {
    let word: String
    /// What follows the word, with an end.
    let tokens: [Token]
    /// How many tokens of the text come before it.
    let position: Int
    /// Of the number sign.
    let offset: Int
}

/// The signs of C, as far as declarations and constant expressions have them.
enum Sign: String, CaseIterable {
    case ellipsis = "..."
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case equal = "=="
    case notEqual = "!="
    case and = "&&"
    case or = "||"
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBracket = "["
    case rightBracket = "]"
    case leftBrace = "{"
    case rightBrace = "}"
    case semicolon = ";"
    case comma = ","
    case colon = ":"
    case question = "?"
    case star = "*"
    case ampersand = "&"
    case bar = "|"
    case caret = "^"
    case tilde = "~"
    case exclamation = "!"
    case plus = "+"
    case minus = "-"
    case slash = "/"
    case percent = "%"
    case less = "<"
    case greater = ">"
    case assign = "="
    case dot = "."

    /// Those that begin with a byte, the longest first.
    static let byFirstByte: [[(bytes: [UInt8], sign: Sign)]] = {
        var table = [[(bytes: [UInt8], sign: Sign)]](repeating: [], count: 128)
        for sign in allCases {
            let bytes = Array(sign.rawValue.utf8)
            table[Int(bytes[0])].append((bytes, sign))
        }
        return table.map { $0.sorted { $0.bytes.count > $1.bytes.count } }
    }()
}

/// The keywords of C in declarations.
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
