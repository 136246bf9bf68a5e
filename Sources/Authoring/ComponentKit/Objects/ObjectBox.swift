import CHSLink

/// The boundary form of a Swift object. `base` comes first, as in every object.
@usableFromInline
@unsafe
struct ObjectRecord {
    var base: hslink_object
    /// The instance, which the box keeps alive.
    @usableFromInline var target: UnsafeMutableRawPointer
    /// The box that contains this record.
    var box: UnsafeMutableRawPointer
}

/// Owns an object's record, which is part of the box's allocation, and the instance that the record points to. The
/// box's reference count is that of the object.
@safe
final class ObjectBox: ManagedBuffer<ObjectBox.Contents, ObjectRecord> {
    struct Contents {
        let target: AnyObject
        /// Refuses calls once the component has stopped.
        let backend: any LinkBackend
    }

    /// Creates an object with one reference, which the caller owns.
    static func make(
        _ target: AnyObject, type: UnsafePointer<hslink_object_type>, backend: any LinkBackend
    ) -> UnsafeMutablePointer<hslink_object> {
        let box = unsafe ObjectBox.create(minimumCapacity: 1) { _ in Contents(target: target, backend: backend) }
        let retained = unsafe Unmanaged.passRetained(box)
        return unsafe box.withUnsafeMutablePointerToElements { record in
            unsafe record.initialize(
                to: ObjectRecord(
                    base: hslink_object(type: type), target: Unmanaged.passUnretained(target).toOpaque(),
                    box: retained.toOpaque()))
            return unsafe UnsafeMutableRawPointer(record).assumingMemoryBound(to: hslink_object.self)
        }
    }

    static func of(_ object: UnsafeMutablePointer<hslink_object>) -> Unmanaged<ObjectBox> {
        let record = unsafe UnsafeMutableRawPointer(object).assumingMemoryBound(to: ObjectRecord.self)
        return unsafe Unmanaged<ObjectBox>.fromOpaque(record.pointee.box)
    }

    /// The reference-counting functions for `hslink_object_type`.
    static let retain: @convention(c) (UnsafeMutablePointer<hslink_object>) -> Void = {
        _ = unsafe ObjectBox.of($0).retain()
    }
    static let release: @convention(c) (UnsafeMutablePointer<hslink_object>) -> Void = {
        unsafe ObjectBox.of($0).release()
    }

    /// Returns the backend of the component, or the host, that has made an object; nil if another image has made it.
    static func backend(of object: UnsafeMutablePointer<hslink_object>) -> (any LinkBackend)? {
        guard unsafe isOwn(object) else { return nil }
        return unsafe ObjectBox.of(object)._withUnsafeGuaranteedRef { unsafe $0.header.backend }
    }

    /// Whether this image has made the object.
    package static func isOwn(_ object: UnsafeMutablePointer<hslink_object>) -> Bool {
        // Each image has its own copy of the function.
        unsafe unsafeBitCast(object.pointee.type.pointee.release, to: UInt.self) == ownRelease
    }

    private static let ownRelease = unsafe unsafeBitCast(release, to: UInt.self)

    /// Runs author code on behalf of the object, unless its component has been stopped or calls are nested too deeply.
    static func run(
        _ object: UnsafeMutablePointer<hslink_object>, _ call: UnsafePointer<hslink_call>,
        body: (AnyObject) -> Int32
    ) -> Int32 {
        let contents = unsafe ObjectBox.of(object).takeUnretainedValue().header
        if let refusal = contents.backend.enter() { return unsafe MethodReply.fail(call, refusal) }
        defer { contents.backend.leave() }
        return body(contents.target)
    }
}

// The extension `hslink.owner/1`, which reports the component that an object belongs to.
extension ObjectBox {
    /// The `get_extension` function for `hslink_object_type`, the same for all types of this image.
    static let getExtension: @convention(c) (UnsafePointer<hslink_object_type>, hslink_string) -> UnsafeRawPointer? = {
        _, identifier in
        unsafe hslink_string_equals(identifier, HSLINK_OWNER) != 0 ? UnsafeRawPointer(ownerTable) : nil
    }

    /// Written once during initialisation, and read-only afterwards.
    nonisolated(unsafe) private static let ownerTable = unsafe UnsafePointer(
        constant: hslink_object_owner(
            struct_size: UInt32(MemoryLayout<hslink_object_owner>.size), flags: UInt32(HSLINK_OWNER_ENTERS),
            host: { object in
                unsafe ObjectBox.of(object)._withUnsafeGuaranteedRef {
                    unsafe Link($0.header.backend).hostFunctions
                }
            }))
}
