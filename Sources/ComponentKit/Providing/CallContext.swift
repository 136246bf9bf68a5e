public import CHSLink

/// What a method may ask about the call that it answers. It cannot be stored.
@safe
public struct CallContext: ~Copyable {
    let call: UnsafePointer<hslink_call>

    @usableFromInline
    init(_ call: UnsafePointer<hslink_call>) { unsafe self.call = unsafe call }

    /// By when the caller wants the answer; nil for no hurry.
    public var deadline: Deadline? { unsafe Deadline(boundary: call.pointee.deadline) }

    /// Whether nobody waits for the answer any more: cancelled, out of time, stopped. Long methods ask now
    /// and then.
    public var isCancelled: Bool { unsafe hslink_is_cancelled(call.pointee.reply) != 0 }

    /// The name of the component that calls; empty for the host's own code.
    public var caller: String { unsafe String(call.pointee.caller) }

    /// The component that the method belongs to; nil in calls on objects.
    public var context: ComponentContext? {
        unsafe call.pointee.component.map { unsafe Unmanaged<ComponentContext>.fromOpaque($0).takeUnretainedValue() }
    }
}
