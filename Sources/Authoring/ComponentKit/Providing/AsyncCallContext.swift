public import CHSLink

/// Information for an asynchronous method about its call. Unlike ``CallContext``, it may be stored.
@safe
public struct AsyncCallContext: Sendable {
    /// The deadline of the call, at which the method's task is cancelled; nil if there is none.
    public let deadline: Deadline?
    /// The link to other components; nil in calls from a broken host.
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
