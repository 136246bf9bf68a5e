import SystemSupport

/// A Swift type in a canonical form, in which equal types compare equal: `[Int]?` equals `Optional<Array<Swift.Int>>`.
///
/// Attributes, `inout` and similar modifiers do not affect values that travel, so they are left out.
package indirect enum TypeExpression: Hashable, Sendable {
    /// A function type.
    package struct Function: Hashable, Sendable {
        var parameters: [TypeExpression]
        var result: TypeExpression
        var isAsync: Bool
        /// The type of the errors that it throws, `any Error` when none is written; nil when it does not throw.
        var thrown: TypeExpression?
    }

    /// An element of a tuple.
    package struct Element: Hashable, Sendable {
        var label: String?
        var type: TypeExpression
    }

    /// A name, which may be qualified, without the modules of the standard library.
    case named(String, arguments: [TypeExpression])
    case optional(TypeExpression)
    case array(TypeExpression)
    case dictionary(key: TypeExpression, value: TypeExpression)
    /// A tuple; without elements it is `Void`.
    case tuple([Element])
    case function(Function)
    /// `any P` or `some P`, with its keyword.
    case opaque(String, TypeExpression)
    /// Text that could not be parsed as a type, without whitespace.
    case text(String)

    static let void = TypeExpression.tuple([])

    /// Parses a type; text that is not a type becomes ``text(_:)``.
    ///
    /// - Parameter text: A type as written in a note, without a default value.
    package init(_ text: String) {
        var parser = TypeParser(text)
        self = parser.parse() ?? .text(String(text.filter { !$0.isWhitespace }))
    }

    /// The name of a named type; empty for others.
    package var name: String {
        if case .named(let name, _) = self { name } else { "" }
    }

    /// Whether values of the type are closures, also if it is optional.
    package var isClosure: Bool {
        switch self {
        case .function: true
        case .optional(let wrapped): wrapped.isClosure
        default: false
        }
    }

    /// Whether values of the type are closures that may answer nothing: without a result, or with an optional one.
    package var isClosureThatMayAnswerNothing: Bool {
        switch self {
        case .function(let function): function.result == .void || function.result.wrapped != nil
        case .optional(let wrapped): wrapped.isClosureThatMayAnswerNothing
        default: false
        }
    }

    /// The type of the elements of a stream; nil when the type is none. All streams travel in the same form.
    var streamElement: TypeExpression? {
        switch self {
        case .named("AsyncThrowingStream", let arguments), .named("AsyncStream", let arguments),
            .opaque(_, .named("AsyncSequence", let arguments)):
            arguments.first
        case .opaque(let word, .named("&", let parts)):
            parts.lazy.compactMap { TypeExpression.opaque(word, $0).streamElement }.first
        default: nil
        }
    }

    /// The type without one level of `Optional`; nil when it is not optional.
    package var wrapped: TypeExpression? {
        if case .optional(let wrapped) = self { wrapped } else { nil }
    }
}

/// The type of a key in a note, with an optional default value.
package struct WrittenType: Hashable, Sendable {
    /// The text as it was written.
    package let text: String
    package let type: TypeExpression
    let hasDefault: Bool

    /// Parses a type with an optional default value, as in "Int = 10".
    package init(_ text: String) {
        self.text = text
        let (type, standard) = WrittenType.split(text)
        self.type = TypeExpression(type)
        hasDefault = standard != nil
    }

    /// What a missing key means, as it was written: "nil" for an optional without a default; nil if the key must be
    /// there.
    var standard: ExactText? {
        guard let written = WrittenType.split(text).standard else { return type.wrapped == nil ? nil : "nil" }
        return ExactText(Substring(written.utf8.drop { $0 == UInt8(ascii: " ") }))
    }

    /// Whether the key may be missing.
    package var mayBeMissing: Bool { hasDefault || type.wrapped != nil }

    /// Splits text at the first equals sign outside of brackets.
    ///
    /// - Returns: The parts before and after the equals sign; the second is nil when there is none.
    static func split(_ text: String) -> (type: String, standard: String?) {
        let bytes = Array(text.utf8)
        var depth = 0
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            // The `>` of an arrow closes no bracket.
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

/// Types that have a fixed form in payloads, so no note describes them.
enum WellKnownTypes {
    static let names: Set<String> = [
        "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double",
        "Float", "String", "Character", "Substring", "Void", "Never", "Any", "Error", "Data", "Date", "URL", "UUID",
        "Decimal", "Duration", "Secret", "Timestamp", "Payload", "PayloadView", "LinkObject", "LinkClosure", "Link",
        "ComponentContext", "CallContext", "LinkError", "Set", "Result", "Range", "ClosedRange", "Sendable",
    ]

    /// Returns whether a name needs no note: it is one of these types, or begins with a lowercase letter, as authors in
    /// other languages write types.
    static func contain(_ name: String) -> Bool {
        names.contains(name) || name.first?.isLowercase == true || name == "&"
    }

    /// Types of HSLink that a manifest in another language may name without describing them, and the forms that a value
    /// may have in such a manifest.
    static let others = [
        "PageContext", "ViewNode", "RouteRequest", "RouteDecision", "AsyncStream", "AsyncThrowingStream",
        "array", "map", "object", "closure", "any", "null",
    ]
}
