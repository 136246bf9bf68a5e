import CHSLink
import ComponentKit
import ManifestRules
import SystemSupport

/// Stands before a method and refuses keys that its manifest does not declare, where ``HostOptions/refusesUndeclaredKeys``
/// asks for it: nothing is in the way of calls elsewhere.
@safe
final class DeclaredKeys: Sendable {
    private let selector: SelectorDeclaration
    // The descriptor of the component, which it is from, lives as long as the process.
    private nonisolated(unsafe) let function: hslink_method_function
    // The same.
    private nonisolated(unsafe) let context: UnsafeMutableRawPointer?

    /// - Returns: nil for a selector that declares nothing, and may read whatever there is.
    init?(
        _ selector: SelectorDeclaration?, _ function: @escaping hslink_method_function,
        _ context: UnsafeMutableRawPointer?
    ) {
        guard let selector, !selector.parameters.isEmpty else { return nil }
        self.selector = selector
        unsafe self.function = function
        unsafe self.context = unsafe context
    }

    /// The context of a ``DeclaredKeys``, which somebody else keeps, is passed along.
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
    /// Why a payload does not fit: it has a key that is no parameter.
    fileprivate func refusal(of payload: borrowing PayloadView) -> String? {
        let key = payload.firstKey { key in !parameters.contains { $0.name == key } }
        return key.map { "no parameter \($0.quoted()); \(parameters.hint(besides: $0))" }
    }
}

extension [SelectorDeclaration.Parameter] {
    /// Which parameter was probably meant by a key that is none, or which there are.
    package func hint(besides key: String) -> String {
        let names = map(\.name)
        return NearMiss.nearest(to: key, in: names).map { "did you mean \($0)?" }
            ?? "it has \(names.joined(separator: ", "))"
    }
}
