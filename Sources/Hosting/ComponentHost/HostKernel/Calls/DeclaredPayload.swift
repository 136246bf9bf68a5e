import CHSLink
import ComponentCatalog
import ComponentKit
import ManifestRules
import SystemSupport

/// Wraps a method and refuses keys that its manifest does not declare. Used only with
/// ``HostOptions/refusesUndeclaredKeys``, so other hosts pay nothing for it.
@safe
final class DeclaredKeys: Sendable {
    private let selector: SelectorDeclaration
    // Comes from the component's descriptor, which lives as long as the process.
    private nonisolated(unsafe) let function: hslink_method_function
    // As above.
    private nonisolated(unsafe) let context: UnsafeMutableRawPointer?

    /// - Returns: Nil for a selector that declares no parameters, since it may read any key.
    init?(
        _ selector: SelectorDeclaration?, function: @escaping hslink_method_function, context: UnsafeMutableRawPointer?
    ) {
        guard let selector, !selector.parameters.isEmpty else { return nil }
        self.selector = selector
        unsafe self.function = function
        unsafe self.context = unsafe context
    }

    /// Checks the keys, then calls the method. The context is a ``DeclaredKeys``, which is not retained.
    static let checked: hslink_method_function = { context, instance, payload, call in
        guard let context = unsafe context else { return Int32(HSLINK_REPLIED) }
        let declared = unsafe Unmanaged<DeclaredKeys>.fromOpaque(context).takeUnretainedValue()
        if let message = unsafe declared.selector.refusal(of: PayloadView(unsafeBorrowing: payload)) {
            unsafe Reply.complete(call.pointee.reply, with: LinkError(.payloadMismatch, message: message))
            return Int32(HSLINK_REPLIED)
        }
        return unsafe declared.function(declared.context, instance, payload, call)
    }
}

extension SelectorDeclaration {
    /// Returns the error message about the first key that is not a parameter; nil if there is none.
    fileprivate func refusal(of payload: borrowing PayloadView) -> String? {
        let key = payload.firstKey { key in
            !parameters.contains { $0.name.isExactly(key) } && !(handles != nil && key == __CurrentDelivery.key)
        }
        return key.map { "the selector has no parameter \($0.quoted()); \(parameters.hint(besides: $0))" }
    }
}

extension [SelectorDeclaration.Parameter] {
    /// Returns a hint about an unknown key: the parameter that was probably meant, or else all parameters.
    package func hint(besides key: String) -> String {
        let names = map(\.name)
        return SimilarName.nearest(to: key, in: names).map { "did you mean \($0)?" }
            ?? "it has \(names.joined(separator: ", "))"
    }
}
