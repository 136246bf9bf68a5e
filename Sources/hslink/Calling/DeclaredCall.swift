import ComponentHost
import ComponentKit
import HostControl
import SystemSupport

/// A call as the command line and the manifest of the component say it together: which kind of method is meant, and of
/// which type a value is.
struct DeclaredCall {
    let className: String
    let selector: String
    let arguments: PayloadArguments
    /// Nil where the command line does not say.
    let kind: SelectorKind?
    let timeout: Duration?

    /// The call, with what comes from elsewhere read.
    ///
    /// - Parameter catalog: what the host has; what is not there is not checked.
    /// - Throws: when the selector declares parameters, and a key is none of them, or a value cannot be of its type.
    func description(in catalog: Catalog) throws(UsageError) -> CallDescription {
        let declared = catalog.entry(ofClass: className)?.manifest.classDeclaration(className)
        let kind =
            kind
            ?? (declared?.selector(selector, .object) == nil && declared?.selector(selector, .class) != nil
                ? .class : .object)
        let parameters = declared?.selector(selector, kind)?.parameters ?? []
        try refuse(arguments.keys, besides: parameters)
        let types = Dictionary(parameters.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        let payload = try arguments.payload(types: types)
        if case .file = arguments { try refuse(payload.keys, besides: parameters) }
        return CallDescription(className, selector, payload, kind: kind, timeout: timeout)
    }

    /// In a process a later consumer may send more than a provider knows; who types has mistyped.
    private func refuse(
        _ keys: [String], besides parameters: [SelectorDeclaration.Parameter]
    ) throws(UsageError) {
        let known = parameters.map(\.name)
        // One that declares nothing may read whatever there is.
        guard !known.isEmpty, let key = keys.first(where: { !known.contains($0) }) else { return }
        let hint = parameters.hint(besides: key)
        throw UsageError(message: "\(selector) of \(className) has no parameter \(key.excerpt); \(hint)".escaped)
    }
}
