public import CHSLink

/// What an asynchronous method may ask about the call that it answers. Unlike ``CallContext`` it may be kept.
@safe
public struct AsyncCallContext: Sendable {
    /// By when the caller wants the answer; nil for no hurry. The method's task is cancelled then.
    public let deadline: Deadline?
    /// The way to other components; nil in the calls of a broken host.
    public let link: Link?
    /// The component that the method belongs to; nil in calls on objects.
    public let context: ComponentContext?

    @usableFromInline
    init(_ call: UnsafePointer<hslink_call>, _ object: UnsafeMutablePointer<hslink_object>?) {
        deadline = unsafe Deadline(boundary: call.pointee.deadline)
        context = unsafe call.pointee.component.map {
            unsafe Unmanaged<ComponentContext>.fromOpaque($0).takeUnretainedValue()
        }
        if let context {
            link = context.link
        } else {
            link = unsafe object.map { unsafe Link(ObjectBox.of($0).takeUnretainedValue().header.backend) }
        }
    }
}
