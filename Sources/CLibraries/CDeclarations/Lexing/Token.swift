/// A word, number or sign in the text, or a description of invalid text.
struct Token {
    enum Kind: Equatable {
        case name(String)
        case keyword(Keyword)
        /// A number, as written.
        case number(String)
        /// The code of a character constant.
        case character(Int)
        /// The content of a string, with escapes resolved.
        case string(String)
        case sign(Sign)
        /// Not a C token; the string describes what was found.
        case wrong(String)
        case end
    }

    let kind: Kind
    /// The offset of the first byte.
    let offset: Int

    /// The description that follows "found" in messages.
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
    /// The text, cut after 60 characters because names in a hostile text may have any length.
    var shortened: String { utf8.count <= 60 ? self : "\(prefix(60))…" }
}

/// A preprocessor directive, `# word tokens…`.
struct Directive {
    let word: String
    /// The tokens after the word, followed by an end token.
    let tokens: [Token]
    /// The number of tokens in the text before the directive.
    let position: Int
    /// The offset of the number sign.
    let offset: Int
}

/// The punctuators of C that occur in declarations and constant expressions.
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

    /// The signs by their first byte, longest first.
    static let byFirstByte: [[(bytes: [UInt8], sign: Sign)]] = {
        var table = [[(bytes: [UInt8], sign: Sign)]](repeating: [], count: 128)
        for sign in allCases {
            let bytes = Array(sign.rawValue.utf8)
            table[Int(bytes[0])].append((bytes, sign))
        }
        return table.map { $0.sorted { $0.bytes.count > $1.bytes.count } }
    }()
}

/// The C keywords that occur in declarations.
enum Keyword: String, CaseIterable {
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

    /// The keywords by spelling, including those of GNU C and C23.
    static let spellings: [String: Keyword] = {
        var spellings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
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
