import CHSLink

/// Keeps a row's closure where the boundary's `context` finds it.
@safe
final class MethodRecord: Sendable {
    typealias Body =
        @Sendable (
            UnsafeMutablePointer<hslink_object>?, UnsafePointer<hslink_value>, UnsafePointer<hslink_call>
        ) -> Int32

    let body: Body
    init(_ body: @escaping Body) { unsafe self.body = unsafe body }

    static let function: hslink_method_function = { context, object, payload, call in
        guard let context = unsafe context else { return Int32(HSLINK_REPLIED) }
        return unsafe Unmanaged<MethodRecord>.fromOpaque(context)._withUnsafeGuaranteedRef { record in
            unsafe Carried.withValue(of: call) { unsafe record.body(object, payload, call) }
        }
    }
}
