public import CHSLink

/// Information for a method about its call. It cannot be stored.
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

    /// The deadline of the call; nil if there is none.
    public var deadline: Deadline? { unsafe Deadline(boundary: call.pointee.deadline) }

    /// Whether the call has already ended: cancelled, past its deadline, or stopped. Long-running methods should check
    /// this from time to time.
    public var isCancelled: Bool { unsafe hslink_is_cancelled(call.pointee.reply) != 0 }

    /// The name of the calling component; empty for the host's own code.
    public var caller: String { unsafe String(name: call.pointee.caller) }

    /// The component that the method belongs to; nil in calls on objects.
    public var context: ComponentContext? {
        unsafe call.pointee.component.map { unsafe Unmanaged<ComponentContext>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The link to other components and to the host, available in calls on objects too; objects in the reply are made
    /// with it. Nil only if a broken caller left it out.
    public var link: Link? {
        // An object knows its owner, so the caller does not need to pass it.
        if let object = unsafe object {
            return unsafe Link(ObjectBox.of(object)._withUnsafeGuaranteedRef { unsafe $0.header.backend })
        }
        return context?.link
    }
}
