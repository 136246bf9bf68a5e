import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Finds link classes that compile and that no component can call as their author expects: without selectors, or with
/// the functions of a contract that they do not provide.
struct ReachabilityCheck {
    private let attribute: AttributeSyntax
    private let shape: LinkClassShape

    init(_ attribute: AttributeSyntax, _ shape: LinkClassShape) {
        self.attribute = attribute
        self.shape = shape
    }

    /// A warning, because a macro can't see whether a protocol is a contract; nil if there is nothing to say.
    var warning: MacroDiagnostic? {
        let names = shape.declaration.inheritanceClause?.inheritedTypes.map(\.type).filter(isUnknown) ?? []
        if !hasSelectors {
            guard let name = names.first else { return withoutSelectors("mark its functions with @Selector", []) }
            let advice = "if \(name.trimmedDescription) is a contract, add provides: \(metatype(name))"
            return withoutSelectors("\(advice); otherwise mark its functions with @Selector", [providing(name)])
        }
        // Contracts are called so on all pages; other protocols seldom are.
        guard let name = names.first(where: { $0.trimmedDescription.hasSuffix("Service") }) else { return nil }
        let contract = name.trimmedDescription
        return .warning(
            "\(shape.typeName) conforms to \(contract) without providing it, so no component finds it: add provides: "
                + "\(metatype(name)), or conform to \(contract) in an extension if it is not a contract",
            at: name, fixIts: [providing(name)])
    }

    private func withoutSelectors(_ advice: String, _ fixIts: [FixIt]) -> MacroDiagnostic {
        let node = shape.declaration.asProtocol((any NamedDeclSyntax).self).map { Syntax($0.name) }
        return .warning(
            "\(shape.typeName) has no selectors, so no component can call it: \(advice); if instances are only passed "
                + "on, declare static let rows: [LinkMethod<\(shape.typeName)>] = []",
            at: node ?? Syntax(attribute), fixIts: fixIts)
    }

    /// Whether the class has anything that callers find, or a member that is meant to be.
    private var hasSelectors: Bool {
        let members = shape.declaration.memberBlock.trimmedDescription
        return !shape.provides.isEmpty || RowShape.areWritten(in: shape.declaration)
            || FunctionShape.marks.contains { members.contains("@\($0)") }
    }

    /// Whether the type may be the protocol of a service that the class does not provide.
    private func isUnknown(_ type: TypeSyntax) -> Bool {
        guard type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self) else { return false }
        let name = type.trimmedDescription
        let isProvided = shape.provides.contains { provided in
            let provided = provided.trimmedDescription
            return [provided, provided + "Making"].contains { $0.lastName == name.lastName }
        }
        return !isProvided && !ValueShape.standardProtocols.contains(name.lastName) && name.lastName != "HSLinkClass"
    }

    private func metatype(_ type: TypeSyntax) -> String { "(any \(type.trimmedDescription)).self" }

    /// Adds the service behind those that the attribute names: the order of arguments is name, services, others.
    private func providing(_ type: TypeSyntax) -> FixIt {
        var given: [LabeledExprSyntax] = []
        if case .argumentList(let list) = attribute.arguments { given = Array(list) }
        let names = given.prefix { $0.label == nil }.count
        var arguments = given.map(\.labelAndExpression)
        let label = shape.provides.isEmpty ? "provides: " : ""
        arguments.insert(label + metatype(type), at: min(names + shape.provides.count, arguments.count))
        let list = arguments.joined(separator: ", ")
        let corrected = AttributeSyntax("@\(raw: attribute.attributeName.trimmedDescription)(\(raw: list))")
            .with(\.leadingTrivia, attribute.leadingTrivia).with(\.trailingTrivia, attribute.trailingTrivia)
        return .replace("provide \(type.trimmedDescription)", attribute, with: corrected)
    }
}

extension LabeledExprSyntax {
    fileprivate var labelAndExpression: String {
        (label.map { "\($0.text): " } ?? "") + expression.trimmedDescription
    }
}

extension String {
    /// The name of a type without the names of modules and enclosing types.
    var lastName: String { split(separator: ".").last.map(String.init) ?? self }
}
