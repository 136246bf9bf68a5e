package import CHSLink

/// Looks whether an object that came over the boundary keeps to the contract as far as can be told
/// without calling it: what the header declares nonnull, a broken component may leave null all the same.
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
