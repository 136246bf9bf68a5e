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

    /// The functions of the host as the component has them that the object belongs to; nil where it does not say.
    package var owner: UnsafePointer<hslink_host>? {
        guard unsafe Int(pointer.pointee.type.pointee.struct_size) >= HSLINK_OBJECT_TYPE_SIZE_1_0,
            let getExtension = unsafe pointer.pointee.type.pointee.get_extension,
            let table = unsafe HSLINK_OWNER.withLinkString({ unsafe getExtension(pointer.pointee.type, $0) }),
            unsafe Int(table.load(as: UInt32.self)) >= HSLINK_OBJECT_OWNER_SIZE_1_0,
            unsafe table.load(fromByteOffset: 8, as: UnsafeRawPointer?.self) != nil
        else { return nil }
        return unsafe table.assumingMemoryBound(to: hslink_object_owner.self).pointee.host(pointer)
    }

    /// Where the code of the object lies.
    package var codeAddress: UnsafeRawPointer {
        unsafe unsafeBitCast(pointer.pointee.type.pointee.invoke, to: UnsafeRawPointer.self)
    }

    /// The name of the object's class; "closure" for a closure.
    public var className: String { unsafe String(name: pointer.pointee.type.pointee.name) }
}
