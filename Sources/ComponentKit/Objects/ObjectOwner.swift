import CHSLink

// The extension `hslink.owner/1`: which component an object belongs to.
extension ObjectBox {
    /// The function for `hslink_object_type` that answers extensions, the same for all types of this image.
    static let getExtension: @convention(c) (UnsafePointer<hslink_object_type>, hslink_string) -> UnsafeRawPointer? = {
        _, identifier in
        unsafe hslink_string_equals(identifier, HSLINK_OWNER) != 0 ? UnsafeRawPointer(ownerTable) : nil
    }

    /// Written once when it is made, read-only from then on.
    nonisolated(unsafe) private static let ownerTable: UnsafePointer<hslink_object_owner> = {
        let table = UnsafeMutablePointer<hslink_object_owner>.allocate(capacity: 1)
        unsafe table.initialize(
            to: hslink_object_owner(
                struct_size: UInt32(MemoryLayout<hslink_object_owner>.size), reserved: 0,
                host: { object in
                    unsafe ObjectBox.of(object)._withUnsafeGuaranteedRef {
                        unsafe Link($0.header.backend).hostFunctions
                    }
                }))
        return unsafe UnsafePointer(table)
    }()
}
