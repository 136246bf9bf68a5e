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

/// Checks that an object that came over the boundary keeps to the contract, as far as possible without calling it: a
/// broken component may leave null what the header declares nonnull.
package enum ObjectCheck {
    /// - Throws: what is wrong with the object.
    package static func check(_ object: UnsafeMutablePointer<hslink_object>) throws(PayloadError) {
        guard let type = unsafe UnsafeRawPointer(object).loadUnaligned(as: UnsafeRawPointer?.self) else {
            throw PayloadError(expected: "object", found: "an object without a type")
        }
        let size = unsafe type.loadUnaligned(as: UInt32.self)
        guard size >= HSLINK_OBJECT_TYPE_SIZE_1_0 else {
            throw PayloadError(expected: "object", found: "an object whose type says that it has \(size) bytes")
        }
        // retain, release and invoke.
        for offset in [24, 32, 40] {
            guard unsafe type.loadUnaligned(fromByteOffset: offset, as: UnsafeRawPointer?.self) != nil else {
                throw PayloadError(expected: "object", found: "an object whose type lacks a function")
            }
        }
    }
}
