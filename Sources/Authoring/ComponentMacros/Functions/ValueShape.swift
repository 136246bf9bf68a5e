import SwiftSyntax
import SwiftSyntaxBuilder

/// The type of a parameter, result or field, and what its syntax reveals about how its values are passed.
struct ValueShape {
    enum Kind: Equatable {
        /// A value, an instance or a stream; overload resolution in the generated code decides which.
        case value
        case closure
        case optionalClosure
        /// A service, passed by reference through the named client type.
        case service(client: String)
    }

    let kind: Kind
    /// The type as the author wrote it, on one line. Manifests show this form.
    let written: String
    /// The source of the type, for the declaration of a constant that holds the value.
    let source: String
    /// Whether the type consists of known standard library types, such as `[String: Int?]`. Such types use simpler
    /// overloads, which saves compile time.
    let isPlain: Bool

    init(_ original: TypeSyntax) throws(MacroDiagnostic) {
        // `type` becomes a detached copy without a source location, so diagnostics point to `original`.
        var type = original
        if let attributed = type.as(AttributedTypeSyntax.self) {
            if let specifier = attributed.specifiers.first(where: { $0.trimmedDescription == "inout" }) {
                throw MacroDiagnostic(
                    "an inout parameter can't change the caller's variable: return the new value instead",
                    at: specifier)
            }
            type = TypeSyntax(
                attributed.with(\.specifiers, []).with(\.attributes, attributed.attributes.without("escaping")))
        }
        if let opaque = Self.opaque(in: original) {
            throw MacroDiagnostic(
                "an opaque type can't be passed: use a concrete type, or `any` with a protocol marked @LinkService",
                at: opaque)
        }
        try Self.checkMeaning(of: type, at: original)
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

    /// Whether the type consists of known standard library types.
    static func isPlain(_ type: TypeSyntax) -> Bool {
        if let optional = type.as(OptionalTypeSyntax.self) { return isPlain(optional.wrappedType) }
        if let array = type.as(ArrayTypeSyntax.self) { return isPlain(array.element) }
        if let dictionary = type.as(DictionaryTypeSyntax.self) {
            return dictionary.key.trimmedDescription == "String" && isPlain(dictionary.value)
        }
        return plainNames.contains(type.trimmedDescription)
    }

    /// Returns `type` as a function type, without attributes and parentheses; nil if it is another type.
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
            "another component may call this closure from any thread, and the call may fail: write its type as "
                + (isOptional ? "(\(corrected))?" : corrected),
            at: type, fixIts: [.replace("make it @Sendable, async and throwing", type, with: whole)])
    }

    /// Protocols of the standard library, of Foundation and of ComponentKit. None is the contract of a service.
    static let standardProtocols: Set = [
        "Actor", "AnyActor", "BinaryInteger", "CaseIterable", "Codable", "CodingKey", "Collection", "Comparable",
        "Component",
        "CustomDebugStringConvertible", "CustomNSError", "CustomStringConvertible", "Decodable", "Encodable",
        "Equatable",
        "Error", "Hashable", "Identifiable", "LinkClass", "LinkEvent", "LocalizedError", "ModelError", "Numeric",
        "PayloadConvertible", "RandomNumberGenerator", "RawRepresentable", "Sendable", "SendableMetatype", "Sequence",
        "StringProtocol",
    ]

    /// Rejects types that say nothing about what is passed, and those that have a better form.
    private static func checkMeaning(of type: TypeSyntax, at original: TypeSyntax) throws(MacroDiagnostic) {
        let inner = element(of: type)
        if inner.as(TupleTypeSyntax.self)?.elements.count ?? 0 > 1 {
            throw MacroDiagnostic(
                "a tuple can't be passed: declare a struct with these values, and mark it @Model", at: original)
        }
        if ["Any", "Swift.Any", "AnyObject", "AnyHashable"].contains(inner.trimmedDescription) {
            throw MacroDiagnostic(
                "\(inner.trimmedDescription) does not tell what is passed: use Payload for any value, or a @Model",
                at: original)
        }
        guard let existential = inner.as(SomeOrAnyTypeSyntax.self) else { return }
        let name = existential.constraint.trimmedDescription.lastName
        if ["Error", "LocalizedError"].contains(name) {
            throw MacroDiagnostic(
                "any \(name) does not tell which errors there are: use a @Model that conforms to Error", at: original)
        }
        guard standardProtocols.contains(name) else { return }
        throw MacroDiagnostic(
            "any \(name) can't be passed, because \(name) is no contract: use a concrete type, or `any` with a "
                + "protocol marked @LinkService",
            at: original)
    }

    /// The type without optionals, arrays, the values of dictionaries and parentheses.
    private static func element(of type: TypeSyntax) -> TypeSyntax {
        if let optional = type.as(OptionalTypeSyntax.self) { return element(of: optional.wrappedType) }
        if let array = type.as(ArrayTypeSyntax.self) { return element(of: array.element) }
        if let dictionary = type.as(DictionaryTypeSyntax.self) { return element(of: dictionary.value) }
        if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
            return element(of: only.type)
        }
        return type.trimmed
    }

    /// Returns the first `some P` anywhere in `type`.
    private static func opaque(in type: TypeSyntax) -> SomeOrAnyTypeSyntax? {
        for token in type.tokens(viewMode: .sourceAccurate) where token.tokenKind == .keyword(.some) {
            if let type = token.parent?.as(SomeOrAnyTypeSyntax.self) { return type }
        }
        return nil
    }

    /// Returns the name of a service protocol's client; nil if the constraint has generic arguments, like the standard
    /// library's `AsyncSequence<Int, any Error>`.
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
    /// Returns the first attribute with this name.
    func named(_ name: String) -> AttributeSyntax? {
        for case .attribute(let attribute) in self
        where attribute.attributeName.trimmedDescription.split(separator: ".").last.map(String.init) == name {
            return attribute
        }
        return nil
    }

    /// Returns the list without attributes with this name.
    func without(_ name: String) -> AttributeListSyntax {
        filter { element in
            guard case .attribute(let attribute) = element else { return true }
            return attribute.attributeName.trimmedDescription != name
        }
    }
}
