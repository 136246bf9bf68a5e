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
