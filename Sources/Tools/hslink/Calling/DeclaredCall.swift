import ComponentHost
import ComponentKit
import HostControl
import SystemSupport

/// A call from the command line, completed with the component's manifest, which determines the kind of method and the
/// types of the values.
struct DeclaredCall {
    let className: String
    let selector: String
    let arguments: PayloadArguments
    /// The kind of method; nil if the command line does not specify it.
    let kind: SelectorKind?
    let limit: CallLimit

    /// Returns the call, after reading values from files, the terminal and the environment.
    ///
    /// - Parameters:
    ///   - catalog: the host's components. Calls to a class that it lacks are not checked.
    ///   - closures: makes closures; nil if the host is in another process.
    /// - Throws: a ``UsageError`` if a value cannot be read, or if the selector declares parameters and a key is not
    ///   one of them.
    func description(
        in catalog: Catalog, closures: PrintingClosures? = nil
    ) throws(UsageError) -> CallDescription {
        let declared = catalog.entry(ofClass: className)?.manifest.classDeclaration(className)
        // Its keys are not checked: a running host of another version may have others.
        let own = OwnClasses.declaration(of: className)
        let kind =
            kind
            ?? ((own ?? declared)?.selector(selector, .object) == nil
                && (own ?? declared)?.selector(selector, .class) != nil
                ? .class : .object)
        let declaration = declared?.selector(selector, kind)
        try declaration?.refuse(arguments.keys, of: className)
        let parameters = declaration?.parameters ?? []
        let types = Dictionary(firstOf: parameters.map { (ExactText($0.name), $0.type) })
        let payload = try arguments.payload(types: types, closures: closures)
        if case .file = arguments { try declaration?.refuse(payload.keys, of: className) }
        return CallDescription(className, selector, payload, kind: kind, timeout: limit.duration)
    }
}

extension SelectorDeclaration {
    /// Rejects undeclared keys. Providers ignore keys from newer consumers, but on a command line such a key is a typo.
    ///
    /// - Parameter className: the class of the selector, for the message.
    func refuse(_ keys: [String], of className: String) throws(UsageError) {
        let known = Set(parameters.map { ExactText($0.name) })
        // A selector without declared parameters may accept any key.
        guard !known.isEmpty, let key = keys.first(where: { !known.contains(ExactText($0)) }) else { return }
        let hint = parameters.hint(besides: key)
        throw UsageError("\(name) of \(className) has no parameter \(key.excerpt); \(hint)".escaped)
    }
}
