package import CHSLink

/// A reference to an object of this component, another component or the host: an instance, a closure or a stream. The
/// object lives at least as long as this reference.
@safe
// Unchecked: a constant pointer to an object whose functions, by contract, may be called from any thread.
public final class LinkObject: @unchecked Sendable {
    package let pointer: UnsafeMutablePointer<hslink_object>

    /// Creates a reference that retains the object.
    package init(retaining pointer: UnsafeMutablePointer<hslink_object>) {
        unsafe pointer.pointee.type.pointee.retain(pointer)
        unsafe self.pointer = unsafe pointer
    }

    /// Creates a reference that takes over the caller's.
    package init(adopting pointer: UnsafeMutablePointer<hslink_object>) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe pointer.pointee.type.pointee.release(pointer) }

    /// The host's function table, as given to the component that owns the object, and whether the object calls its
    /// `enter` and `leave`; nil if the object does not declare an owner.
    package var owner: (host: UnsafePointer<hslink_host>, enters: Bool)? {
        guard unsafe Int(pointer.pointee.type.pointee.struct_size) >= HSLINK_OBJECT_TYPE_SIZE_1_0,
            let getExtension = unsafe pointer.pointee.type.pointee.get_extension,
            let table = unsafe HSLINK_OWNER.withLinkString({ unsafe getExtension(pointer.pointee.type, $0) }),
            unsafe Int(table.load(as: UInt32.self)) >= HSLINK_OBJECT_OWNER_SIZE_1_0,
            unsafe table.load(fromByteOffset: 8, as: UnsafeRawPointer?.self) != nil
        else { return nil }
        let owner = unsafe table.assumingMemoryBound(to: hslink_object_owner.self)
        guard let host = unsafe owner.pointee.host(pointer) else { return nil }
        return unsafe (host, owner.pointee.flags & UInt32(HSLINK_OWNER_ENTERS) != 0)
    }

    /// The address of the object's `invoke` function.
    package var codeAddress: UnsafeRawPointer {
        unsafe unsafeBitCast(pointer.pointee.type.pointee.invoke, to: UnsafeRawPointer.self)
    }

    /// Whether this image has made the object.
    package var isOwn: Bool { unsafe ObjectBox.isOwn(pointer) }

    /// The backend that has made the object; nil if another image has.
    package var maker: (any LinkBackend)? { unsafe ObjectBox.backend(of: pointer) }

    /// Whether the object's class has this name.
    package func isNamed(_ name: String) -> Bool {
        let own = unsafe pointer.pointee.type.pointee.name
        guard unsafe own.utf8 != nil, unsafe own.length == name.utf8.count else { return false }
        return unsafe name.utf8.elementsEqual(UnsafeRawBufferPointer(start: own.utf8, count: own.length))
    }

    /// The name of the object's class; "closure" for a closure.
    public var className: String { unsafe String(name: pointer.pointee.type.pointee.name) }
}

/// Checks that an object received over the boundary obeys the contract, as far as possible without calling it. A broken
/// component may leave members null that the header declares nonnull.
package enum ObjectCheck {
    /// - Throws: `PayloadError` if the object has no type, or its type is too small or lacks a function.
    package static func check(_ object: UnsafeMutablePointer<hslink_object>) throws(PayloadError) {
        guard let type = unsafe UnsafeRawPointer(object).loadUnaligned(as: UnsafeRawPointer?.self) else {
            throw PayloadError(expected: "object", found: "an object without a type")
        }
        let size = unsafe type.loadUnaligned(as: UInt32.self)
        guard size >= HSLINK_OBJECT_TYPE_SIZE_1_0 else {
            throw PayloadError(expected: "object", found: "an object whose type declares a size of \(size) bytes")
        }
        // retain, release and invoke.
        for offset in [24, 32, 40] {
            guard unsafe type.loadUnaligned(fromByteOffset: offset, as: UnsafeRawPointer?.self) != nil else {
                throw PayloadError(expected: "object", found: "an object whose type lacks a function")
            }
        }
    }
}
