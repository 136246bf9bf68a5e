import CHSLink
import ComponentCatalog
import ComponentKit
import ManifestRules
import SystemSupport

/// Wraps a method, and compares each payload with what its manifest declares before the method receives it.
///
/// The types are compared for components whose own code does not do so: those in C, C++ and Rust. Undeclared keys are
/// refused only with ``HostOptions/refusesUndeclaredKeys``. Methods of other components are not wrapped, so their calls
/// pay nothing.
@safe
final class DeclaredPayload: Sendable {
    private let selector: SelectorDeclaration
    private let refusesOtherKeys: Bool
    /// The types of the parameters, prepared; nil if the component's own code checks them.
    private let types: ParameterTypes?
    // Comes from the component's descriptor, which lives as long as the process.
    private nonisolated(unsafe) let function: hslink_method_function
    // As above.
    private nonisolated(unsafe) let context: UnsafeMutableRawPointer?

    /// - Parameters:
    ///   - selector: The declaration; nil for a method that the manifest does not declare.
    ///   - unit: The component.
    ///   - models: The prepared models of a component whose own code does not check payloads.
    /// - Returns: Nil if there is nothing to check. A selector that declares no parameters may read any key.
    init?(
        _ selector: SelectorDeclaration?, of unit: ComponentUnit, models: ParameterModels?,
        function: @escaping hslink_method_function, context: UnsafeMutableRawPointer?
    ) {
        guard let selector, !selector.parameters.isEmpty, unit.checksKeys || models != nil else { return nil }
        self.selector = selector
        refusesOtherKeys = unit.checksKeys
        types = models.map { ParameterTypes(selector.parameters, $0) }
        unsafe self.function = function
        unsafe self.context = unsafe context
    }

    /// Checks the payload, then calls the method. The context is a ``DeclaredPayload``, which is not retained.
    static let checked: hslink_method_function = { context, instance, payload, call in
        guard let context = unsafe context else { return Int32(HSLINK_REPLIED) }
        let declared = unsafe Unmanaged<DeclaredPayload>.fromOpaque(context).takeUnretainedValue()
        if let message = unsafe declared.refusal(of: payload) {
            unsafe Reply.complete(call.pointee.reply, with: LinkError(.payloadMismatch, message: message))
            return Int32(HSLINK_REPLIED)
        }
        return unsafe declared.function(declared.context, instance, payload, call)
    }

    /// Returns the error message about a payload; nil if it fits.
    private func refusal(of payload: UnsafePointer<hslink_value>) -> String? {
        if refusesOtherKeys, let message = unsafe selector.refusal(of: PayloadView(unsafeBorrowing: payload)) {
            return message
        }
        guard let types, unsafe !types.fit(payload.pointee) else { return nil }
        return unsafe types.problem(of: PayloadView(unsafeBorrowing: payload))
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
