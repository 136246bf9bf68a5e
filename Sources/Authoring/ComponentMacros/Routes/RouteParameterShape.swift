import SwiftSyntax

/// What the syntax of a parameter reveals about how a URL carries it.
struct RouteParameterShape {
    enum Kind: Equatable {
        /// A standard type that is written as text.
        case text
        /// Any other named type. Overload resolution in the generated code decides whether a URL can carry it.
        case named
        /// A closure, service, stream or object, which is passed beside the URL.
        case reference
        /// A type that a URL can't carry.
        case other
    }

    /// The kind of the type without optional and array.
    let kind: Kind
    /// The name of the type without optional and array.
    let name: String
    let isOptional: Bool
    let isArray: Bool

    /// Whether a URL may lack it.
    let mayBeMissing: Bool

    init(_ parameter: ParameterShape) {
        var type = parameter.syntax.type.trimmed
        if let attributed = type.as(AttributedTypeSyntax.self) { type = attributed.baseType.trimmed }
        let wrapped = type.wrapped(by: "Optional") ?? type.as(OptionalTypeSyntax.self)?.wrappedType
        isOptional = wrapped != nil
        type = wrapped ?? type
        let element = type.wrapped(by: "Array") ?? type.as(ArrayTypeSyntax.self)?.element
        isArray = element != nil
        type = element ?? type
        while let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
            type = only.type
        }
        name = type.trimmedDescription.withoutModule
        kind = parameter.type.kind == .value ? RouteParameterShape.kind(of: type, name) : .reference
        mayBeMissing = isOptional || parameter.defaultValue != nil
    }

    /// Whether the type may be a text in a URL, or several if it is an array.
    var mayBeText: Bool { kind == .text || kind == .named }

    private static let texts: Set = [
        "Bool", "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        "Double", "Float", "UUID", "Date", "URL", "Timestamp",
    ]
    private static let others: Set = ["Data", "Payload", "Duration", "Any"]

    private static func kind(of type: TypeSyntax, _ name: String) -> Kind {
        if texts.contains(name) { return .text }
        if others.contains(name) { return .other }
        if name == "LinkObject" || type.is(SomeOrAnyTypeSyntax.self) { return .reference }
        if let identifier = type.as(IdentifierTypeSyntax.self) {
            guard identifier.genericArgumentClause != nil else { return .named }
            return identifier.name.text.hasPrefix("Async") ? .reference : .other
        }
        if let member = type.as(MemberTypeSyntax.self), member.genericArgumentClause == nil { return .named }
        return .other
    }
}

extension TypeSyntax {
    /// The type inside a generic type with one argument, such as `Optional<Int>`.
    fileprivate func wrapped(by name: String) -> TypeSyntax? {
        guard let identifier = self.as(IdentifierTypeSyntax.self), identifier.name.text == name,
            let arguments = identifier.genericArgumentClause?.arguments, arguments.count == 1
        else { return nil }
        return arguments.first?.argument.as(TypeSyntax.self)
    }
}

extension String {
    /// The name of a type without the standard modules.
    fileprivate var withoutModule: String {
        for module in ["Swift.", "Foundation.", "FoundationEssentials.", "ComponentKit."] where hasPrefix(module) {
            return String(dropFirst(module.count))
        }
        return self
    }
}
