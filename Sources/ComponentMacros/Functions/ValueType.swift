import SwiftSyntax
import SwiftSyntaxBuilder

/// The type of a parameter, result or field, as far as its syntax tells how values of it travel.
struct ValueType {
    enum Kind: Equatable {
        /// A value, an instance or a stream: the compiler finds out which.
        case value
        case closure
        case optionalClosure
        /// A service by reference; the name of its client.
        case service(client: String)
    }

    let kind: Kind
    /// As the author wrote it, on one line; what manifests show.
    let written: String
    /// The type of a constant that holds the value.
    let source: String
    /// Whether it is a value of the standard library, as `[String: Int?]`: the compiler need not look for the way in
    /// which it travels, which takes it time.
    let isPlain: Bool

    init(_ original: TypeSyntax) throws(MacroDiagnostic) {
        // What is taken out of the source stands nowhere in it: problems are shown at the original.
        var type = original
        if let attributed = type.as(AttributedTypeSyntax.self) {
            if let specifier = attributed.specifiers.first(where: { $0.trimmedDescription == "inout" }) {
                throw MacroDiagnostic(
                    "an inout parameter can't change a variable on the other side: return the new value instead",
                    at: specifier)
            }
            type = TypeSyntax(
                attributed.with(\.specifiers, []).with(\.attributes, attributed.attributes.without("escaping")))
        }
        if let opaque = Self.opaque(in: original) {
            throw MacroDiagnostic(
                "a generic parameter can't be called by name: write a type, or `any` and a protocol marked @LinkService",
                at: opaque)
        }
        written = type.oneLineDescription
        source = type.trimmedDescription
        isPlain = Self.isPlain(type)
        if let function = Self.function(type) {
            kind = .closure
            try Self.check(function, in: original, isOptional: false)
        } else if let optional = type.as(OptionalTypeSyntax.self), let function = Self.function(optional.wrappedType) {
            kind = .optionalClosure
            try Self.check(function, in: original, isOptional: true)
        } else if let existential = type.as(SomeOrAnyTypeSyntax.self),
            existential.someOrAnySpecifier.tokenKind == .keyword(.any),
            let client = Self.client(of: existential.constraint)
        {
            kind = .service(client: client)
        } else {
            kind = .value
        }
    }

    private static let plainNames: Set = [
        "Bool", "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        "Double", "Float",
    ]

    private static func isPlain(_ type: TypeSyntax) -> Bool {
        if let optional = type.as(OptionalTypeSyntax.self) { return isPlain(optional.wrappedType) }
        if let array = type.as(ArrayTypeSyntax.self) { return isPlain(array.element) }
        if let dictionary = type.as(DictionaryTypeSyntax.self) {
            return dictionary.key.trimmedDescription == "String" && isPlain(dictionary.value)
        }
        return plainNames.contains(type.trimmedDescription)
    }

    /// The function type that `type` is, with its attributes taken off and parentheses opened.
    private static func function(_ type: TypeSyntax) -> FunctionTypeSyntax? {
        if let function = type.as(FunctionTypeSyntax.self) { return function }
        if let attributed = type.as(AttributedTypeSyntax.self) { return function(attributed.baseType) }
        if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
            return function(only.type)
        }
        return nil
    }

    private static func check(
        _ function: FunctionTypeSyntax, in type: TypeSyntax, isOptional: Bool
    ) throws(MacroDiagnostic) {
        let effects = function.effectSpecifiers
        let isSendable = type.description.contains("@Sendable")
        guard !isSendable || effects?.asyncSpecifier == nil || effects?.throwsClause == nil else { return }
        let result = function.returnClause.type.trimmedDescription
        let corrected = "@Sendable (\(function.parameters.trimmedDescription)) async throws -> \(result)"
        let whole: TypeSyntax = isOptional ? "(\(raw: corrected))?" : "@escaping \(raw: corrected)"
        throw MacroDiagnostic(
            "a closure is called from another component, from any thread, and the call may fail: write it as "
                + (isOptional ? "(\(corrected))?" : corrected),
            at: type, fixIts: [.replace("make it @Sendable, async and throwing", type, with: whole)])
    }

    /// `some P` anywhere in a type.
    private static func opaque(in type: TypeSyntax) -> SomeOrAnyTypeSyntax? {
        for token in type.tokens(viewMode: .sourceAccurate) where token.tokenKind == .keyword(.some) {
            if let type = token.parent?.as(SomeOrAnyTypeSyntax.self) { return type }
        }
        return nil
    }

    /// The client of a service protocol; nil for protocols of the standard library that travel in their own way.
    private static func client(of constraint: TypeSyntax) -> String? {
        if let name = constraint.as(IdentifierTypeSyntax.self), name.genericArgumentClause == nil {
            return name.name.text + "Client"
        }
        if let member = constraint.as(MemberTypeSyntax.self), member.genericArgumentClause == nil {
            return member.trimmedDescription + "Client"
        }
        return nil
    }
}

extension AttributeListSyntax {
    /// The attribute of this name.
    func named(_ name: String) -> AttributeSyntax? {
        for case .attribute(let attribute) in self
        where attribute.attributeName.trimmedDescription.split(separator: ".").last.map(String.init) == name {
            return attribute
        }
        return nil
    }

    /// The list without the attribute of this name.
    func without(_ name: String) -> AttributeListSyntax {
        filter { element in
            guard case .attribute(let attribute) = element else { return true }
            return attribute.attributeName.trimmedDescription != name
        }
    }
}
