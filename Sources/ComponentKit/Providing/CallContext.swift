public import CHSLink

/// What a method may ask about the call that it answers. It cannot be stored.
@safe
public struct CallContext: ~Copyable {
    let call: UnsafePointer<hslink_call>
    /// The instance that is called; nil in calls on the class.
    let object: UnsafeMutablePointer<hslink_object>?

    @usableFromInline
    init(_ call: UnsafePointer<hslink_call>, _ object: UnsafeMutablePointer<hslink_object>? = nil) {
        unsafe self.call = unsafe call
        unsafe self.object = unsafe object
    }

    /// By when the caller wants the answer; nil for no hurry.
    public var deadline: Deadline? { unsafe Deadline(boundary: call.pointee.deadline) }

    /// Whether nobody waits for the answer any more: cancelled, out of time, stopped. Long methods ask now
    /// and then.
    public var isCancelled: Bool { unsafe hslink_is_cancelled(call.pointee.reply) != 0 }

    /// The name of the component that calls; empty for the host's own code.
    public var caller: String { unsafe String(name: call.pointee.caller) }

    /// The component that the method belongs to; nil in calls on objects.
    public var context: ComponentContext? {
        unsafe call.pointee.component.map { unsafe Unmanaged<ComponentContext>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The way to other components and to the host, also in calls on objects; what the reply refers to is made
    /// with it. Nil only where a broken caller left it out.
    public var link: Link? {
        // What an object belongs to is known to itself: its caller need not tell.
        if let object = unsafe object {
            return unsafe Link(ObjectBox.of(object)._withUnsafeGuaranteedRef { unsafe $0.header.backend })
        }
        return context?.link
    }
}
