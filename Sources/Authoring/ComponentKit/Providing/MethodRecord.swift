import CHSLink

/// Keeps the closure of a row alive, for the `context` pointer of its boundary method.
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
            unsafe record.call(object, payload, for: call)
        }
    }

    // Not inlined: inside a method, the compiler knows that `self` is alive, and does not retain it to call `body`.
    @inline(never)
    private func call(
        _ object: UnsafeMutablePointer<hslink_object>?, _ payload: UnsafePointer<hslink_value>,
        for call: UnsafePointer<hslink_call>
    ) -> Int32 {
        guard unsafe call.pointee.carried == nil else {
            return unsafe Carried.withValue(of: call) { unsafe body(object, payload, call) }
        }
        return unsafe body(object, payload, call)
    }
}
