/// A type as written in Swift, in a form in which equal meanings are equal: `[Int]?` is `Optional<Array<Swift.Int>>`.
///
/// Attributes, `inout` and the like say nothing about values that travel, and are left out.
indirect enum TypeExpression: Hashable, Sendable {
    /// A function type: what a closure takes and gives.
    struct Function: Hashable, Sendable {
        var parameters: [TypeExpression]
        var result: TypeExpression
        var isAsync: Bool
        /// The type of what it throws, `any Error` where none is written; nil when it throws nothing.
        var thrown: TypeExpression?
    }

    /// An element of a tuple.
    struct Element: Hashable, Sendable {
        var label: String?
        var type: TypeExpression
    }

    /// A name, maybe with others in front of it, without the modules of the standard library.
    case named(String, arguments: [TypeExpression])
    case optional(TypeExpression)
    case array(TypeExpression)
    case dictionary(key: TypeExpression, value: TypeExpression)
    /// Without elements it is `Void`.
    case tuple([Element])
    case function(Function)
    /// `any P` or `some P`, with the word.
    case opaque(String, TypeExpression)
    /// What could not be read as a type, without its white space.
    case text(String)

    static let void = TypeExpression.tuple([])

    /// - Parameter text: as in a note, without a default value. Whatever it is, there is a form for it.
    init(_ text: String) {
        var parser = TypeParser(text)
        self = parser.parse() ?? .text(String(text.filter { !$0.isWhitespace }))
    }

    /// The name of a named type; empty for others.
    var name: String {
        if case .named(let name, _) = self { name } else { "" }
    }

    /// The type without one level of `Optional`.
    var wrapped: TypeExpression? {
        if case .optional(let wrapped) = self { wrapped } else { nil }
    }
}

/// What stands behind a key in a note: a type, and maybe a default value.
struct WrittenType: Hashable, Sendable {
    /// As it was written.
    let text: String
    let type: TypeExpression
    let hasDefault: Bool

    /// - Parameter text: as in "Int = 10".
    init(_ text: String) {
        self.text = text
        let (type, standard) = WrittenType.split(text)
        self.type = TypeExpression(type)
        hasDefault = standard != nil
    }

    /// Whether the key may be missing.
    var mayBeMissing: Bool { hasDefault || type.wrapped != nil }

    /// - Returns: what stands before the first equals sign outside of brackets, and what stands behind it.
    static func split(_ text: String) -> (type: String, standard: String?) {
        let bytes = Array(text.utf8)
        var depth = 0
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            // That of an arrow closes nothing.
            case UInt8(ascii: ">") where index == 0 || bytes[index - 1] != UInt8(ascii: "-"): depth -= 1
            case UInt8(ascii: "=") where depth <= 0:
                return (
                    String(decoding: bytes[..<index], as: UTF8.self),
                    String(decoding: bytes[(index + 1)...], as: UTF8.self)
                )
            default: break
            }
        }
        return (text, nil)
    }
}

/// Types whose form in payloads is fixed, so that there is no note about them.
enum WellKnownTypes {
    private static let names: Set<String> = [
        "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double",
        "Float", "String", "Character", "Substring", "Void", "Never", "Any", "Error", "Data", "Date", "URL", "UUID",
        "Decimal", "Duration", "Timestamp", "Payload", "PayloadView", "LinkObject", "LinkClosure", "Link",
        "ComponentContext", "CallContext", "LinkError", "Set", "Result", "Range", "ClosedRange", "Sendable",
    ]

    /// Whether the name needs no note: one of these, or a word that begins with a small letter, as authors of
    /// other languages write.
    static func contain(_ name: String) -> Bool {
        names.contains(name) || name.first?.isLowercase == true || name == "&"
    }
}
