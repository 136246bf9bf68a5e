import CHSLink

/// An object of the boundary that counts its references.
@safe
final class CountedObject {
    @safe
    private struct Layout {
        var object: hslink_object
        var references: Int
    }

    private let layout: UnsafeMutablePointer<Layout>
    private let type: UnsafeMutablePointer<hslink_object_type>
    private let name: UnsafeMutablePointer<CChar>

    init(className: StaticString = "Counter") {
        let count = className.utf8CodeUnitCount
        unsafe name = .allocate(capacity: count)
        unsafe UnsafeMutableRawPointer(name).copyMemory(from: className.utf8Start, byteCount: count)
        unsafe type = .allocate(capacity: 1)
        unsafe type.initialize(
            to: hslink_object_type(
                struct_size: UInt32(MemoryLayout<hslink_object_type>.size), reserved: 0,
                name: hslink_string(utf8: UnsafePointer(name), length: count),
                retain: { unsafe CountedObject.add(1, to: $0) },
                release: { unsafe CountedObject.add(-1, to: $0) },
                invoke: { _, _, _, _ in 0 }, get_extension: nil))
        unsafe layout = .allocate(capacity: 1)
        unsafe layout.initialize(to: Layout(object: hslink_object(type: type), references: 1))
    }

    deinit {
        unsafe layout.deallocate()
        unsafe type.deallocate()
        unsafe name.deallocate()
    }

    /// Borrows the object.
    var node: ForeignNode { unsafe ForeignNode(value: hslink_object_value(pointer)) }

    private var pointer: UnsafeMutablePointer<hslink_object> {
        unsafe UnsafeMutableRawPointer(layout).assumingMemoryBound(to: hslink_object.self)
    }

    /// The number of references, including its own.
    var references: Int { unsafe layout.pointee.references }

    private static func add(_ count: Int, to object: UnsafeMutablePointer<hslink_object>) {
        unsafe UnsafeMutableRawPointer(object).assumingMemoryBound(to: Layout.self).pointee.references += count
    }
}
