package import CHSLink

/// A reference to an object of another component, of the host, or of one's own: an instance, a closure,
/// a stream. The object lives at least as long as this reference.
@safe
// Unchecked: a constant pointer to an object whose functions may be called from any thread by contract.
public final class LinkObject: @unchecked Sendable {
    package let pointer: UnsafeMutablePointer<hslink_object>

    /// Takes a reference of its own.
    package init(retaining pointer: UnsafeMutablePointer<hslink_object>) {
        unsafe pointer.pointee.type.pointee.retain(pointer)
        unsafe self.pointer = unsafe pointer
    }

    /// Takes over a reference that the caller had.
    package init(adopting pointer: UnsafeMutablePointer<hslink_object>) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe pointer.pointee.type.pointee.release(pointer) }

    /// The name of the object's class; "closure" for a closure.
    public var className: String { unsafe String(name: pointer.pointee.type.pointee.name) }
}
