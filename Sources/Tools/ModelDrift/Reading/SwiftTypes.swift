import SwiftSyntax

/// Reads the shapes of types in Swift.
struct SwiftTypes {
    let source: SourceText

    func shape(of type: TypeSyntax) -> TypeShape { shape(of: type, depth: 0) }

    private func shape(of type: TypeSyntax, depth: Int) -> TypeShape {
        guard depth < TypeShape.maximumDepth else { return text(type) }
        func inner(_ type: TypeSyntax) -> TypeShape { shape(of: type, depth: depth + 1) }
        switch type.as(TypeSyntaxEnum.self) {
        case .identifierType(let type):
            return .canonical(type.name.identifierText, arguments(type.genericArgumentClause, depth))
        case .memberType(let member):
            guard case .named(let base, let outer) = inner(member.baseType), outer.isEmpty || base != "()" else {
                return text(type)
            }
            let inner = arguments(member.genericArgumentClause, depth)
            return .canonical("\(base).\(member.name.identifierText)", outer + inner)
        case .optionalType(let type): return .optional(inner(type.wrappedType))
        case .implicitlyUnwrappedOptionalType(let type): return .unspecified(inner(type.wrappedType))
        case .arrayType(let type): return .named("Array", [inner(type.element)])
        case .dictionaryType(let type): return .named("Dictionary", [inner(type.key), inner(type.value)])
        case .tupleType(let type):
            // `(Int)` is `Int`.
            if type.elements.count == 1, let only = type.elements.first { return inner(only.type) }
            if type.elements.isEmpty { return .named("()") }
            return .tuple(elements(type.elements, depth))
        case .attributedType(let type): return inner(type.baseType)
        // `any P` and `P` are the same type.
        case .someOrAnyType(let type) where type.someOrAnySpecifier.text == "any": return inner(type.constraint)
        case .functionType(let type):
            let effects = type.effectSpecifiers.map { source.tokens(of: $0) } ?? []
            // The names of parameters are not part of a function type.
            let parameters = elements(type.parameters, depth).map { TypeShape.Element(label: nil, type: $0.type) }
            return .function(parameters, effects: effects, result: inner(type.returnClause.type))
        default: return text(type)
        }
    }

    private func elements(_ list: TupleTypeElementListSyntax, _ depth: Int) -> [TypeShape.Element] {
        list.map { element in
            let label = element.firstName?.identifierText
            return TypeShape.Element(
                label: label == "_" ? nil : label, type: shape(of: element.type, depth: depth + 1))
        }
    }

    private func arguments(_ clause: GenericArgumentClauseSyntax?, _ depth: Int) -> [TypeShape] {
        clause?.arguments.map { argument in
            switch argument.argument {
            case .type(let type): shape(of: type, depth: depth + 1)
            default: .text(source.tokens(of: argument.argument))
            }
        } ?? []
    }

    private func text(_ type: TypeSyntax) -> TypeShape { .text(source.tokens(of: type)) }

    // MARK: Types of values

    /// Returns the type that the compiler gives to a value, as far as that can be told from the value alone.
    func shape(ofValue value: ExprSyntax) -> TypeShape { shape(ofValue: value, depth: 0) }

    private func shape(ofValue value: ExprSyntax, depth: Int) -> TypeShape {
        guard depth < TypeShape.maximumDepth else { return .unknown }
        func inner(_ value: ExprSyntax) -> TypeShape { shape(ofValue: value, depth: depth + 1) }
        switch value.as(ExprSyntaxEnum.self) {
        case .integerLiteralExpr: return .named("Int")
        case .floatLiteralExpr: return .named("Double")
        case .stringLiteralExpr: return .named("String")
        case .booleanLiteralExpr: return .named("Bool")
        case .prefixOperatorExpr(let value) where value.operator.text == "-": return inner(value.expression)
        case .arrayExpr(let array):
            guard let element = common(array.elements.map { inner($0.expression) }) else { return .unknown }
            return .named("Array", [element])
        case .dictionaryExpr(let dictionary):
            guard case .elements(let pairs) = dictionary.content, let key = common(pairs.map { inner($0.key) }),
                let value = common(pairs.map { inner($0.value) })
            else { return .unknown }
            return .named("Dictionary", [key, value])
        // An initialiser with arguments may be failable, as `URL(string:)` is.
        case .functionCallExpr(let call)
        where call.arguments.isEmpty && call.trailingClosure == nil && call.additionalTrailingClosures.isEmpty:
            return made(by: call.calledExpression, depth: depth)
        default: return .unknown
        }
    }

    /// Returns the type that a call such as `Date()`, `[String]()` or `[String: Int]()` makes.
    private func made(by called: ExprSyntax, depth: Int) -> TypeShape {
        guard depth < TypeShape.maximumDepth else { return .unknown }
        func inner(_ value: ExprSyntax) -> TypeShape { made(by: value, depth: depth + 1) }
        switch called.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let name):
            let text = name.baseName.identifierText
            return text.first?.isUppercase == true ? .canonical(text, []) : .unknown
        case .arrayExpr(let array):
            guard array.elements.count == 1, let only = array.elements.first else { return .unknown }
            let element = inner(only.expression)
            return element == .unknown ? .unknown : .named("Array", [element])
        case .dictionaryExpr(let dictionary):
            guard case .elements(let pairs) = dictionary.content, pairs.count == 1, let pair = pairs.first else {
                return .unknown
            }
            let (key, value) = (inner(pair.key), inner(pair.value))
            return key == .unknown || value == .unknown ? .unknown : .named("Dictionary", [key, value])
        default: return .unknown
        }
    }

    /// Returns the type that all have; nil if there is none.
    private func common(_ shapes: [TypeShape]) -> TypeShape? {
        guard let first = shapes.first, first != .unknown else { return nil }
        return shapes.allSatisfy { $0 == first } ? first : nil
    }
}

extension TypeShape: CustomStringConvertible {
    /// The type as written in Swift.
    var description: String {
        switch self {
        case .named("Array", let arguments) where arguments.count == 1: "[\(arguments[0])]"
        case .named("Dictionary", let arguments) where arguments.count == 2: "[\(arguments[0]): \(arguments[1])]"
        case .named(let name, let arguments):
            arguments.isEmpty ? name : "\(name)<\(arguments.map(\.description).joined(separator: ", "))>"
        case .optional(let type): "\(type)?"
        case .unspecified(let type): "\(type)!"
        case .tuple(let elements): "(\(elements.map(\.description).joined(separator: ", ")))"
        case .function(let elements, let effects, let result):
            "(\(elements.map(\.description).joined(separator: ", "))) \(effects.map { $0 + " " }.joined())-> \(result)"
        case .text(let tokens): tokens.joined(separator: " ")
        case .unknown: "of unknown type"
        }
    }
}

extension TypeShape.Element: CustomStringConvertible {
    var description: String { label.map { "\($0): \(type)" } ?? "\(type)" }
}
