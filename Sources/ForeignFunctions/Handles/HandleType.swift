import CHSLink
import ComponentKit

/// The boundary's table of a kind of handles. Made once for each name, never freed: objects may outlive everything.
@safe
// Unchecked: written in init, read-only from then on.
final class HandleType: @unchecked Sendable {
    let pointer: UnsafePointer<hslink_object_type>

    private init(_ name: String) {
        let text = unsafe Unmanaged.passRetained(ConstantText(name)).takeUnretainedValue()
        let table = UnsafeMutablePointer<hslink_object_type>.allocate(capacity: 1)
        unsafe table.initialize(
            to: hslink_object_type(
                struct_size: UInt32(MemoryLayout<hslink_object_type>.size), reserved: 0,
                name: hslink_string(utf8: text.bytes, length: text.length), retain: ForeignHandle.retain,
                release: ForeignHandle.release, invoke: HandleType.invoke, get_extension: HandleType.getExtension))
        unsafe pointer = unsafe UnsafePointer(table)
    }

    private static let types = Lock<[String: HandleType]>([:])

    static func named(_ name: String) -> HandleType {
        types.withLock { types in
            if let type = types[name] { return type }
            let type = HandleType(name)
            types[name] = type
            return type
        }
    }

    /// Whether it is the table of a kind of handles.
    static func isOne(_ type: UnsafePointer<hslink_object_type>) -> Bool {
        unsafe unsafeBitCast(type.pointee.invoke, to: UInt.self) == unsafeBitCast(invoke, to: UInt.self)
    }

    private static let getExtension:
        @convention(c) (UnsafePointer<hslink_object_type>, hslink_string) -> UnsafeRawPointer? = { _, identifier in
            unsafe hslink_string_equals(identifier, HSLINK_OWNER) != 0 ? UnsafeRawPointer(ownerTable) : nil
        }

    /// The same for all; written once when it is made, read-only from then on.
    nonisolated(unsafe) private static let ownerTable: UnsafePointer<hslink_object_owner> = {
        let table = UnsafeMutablePointer<hslink_object_owner>.allocate(capacity: 1)
        unsafe table.initialize(
            to: hslink_object_owner(
                struct_size: UInt32(MemoryLayout<hslink_object_owner>.size), reserved: 0,
                host: { unsafe ForeignHandle.behind($0)?.owner?.hostFunctions }))
        return unsafe UnsafePointer(table)
    }()

    private static let invoke:
        @convention(c) (
            UnsafeMutablePointer<hslink_object>, hslink_string, UnsafePointer<hslink_value>, UnsafePointer<hslink_call>
        ) -> Int32 = { object, selector, _, call in
            var failure: LinkError?
            let name = unsafe String(name: selector)
            if name == "close", let handle = unsafe ForeignHandle.behind(object) {
                do throws(LinkError) {
                    try handle.close()
                } catch {
                    failure = error
                }
            } else {
                failure = LinkError(
                    .selectorNotFound, message: "a handle has the selector close only; pass it to functions",
                    selector: name)
            }
            let reply = unsafe call.pointee.reply
            if let failure {
                unsafe failure.withUnsafeError {
                    unsafe _ = reply.ops.pointee.complete(reply.slot, reply.token, nil, $0)
                }
            } else {
                var null = unsafe hslink_null()
                unsafe _ = reply.ops.pointee.complete(reply.slot, reply.token, &null, nil)
            }
            return Int32(HSLINK_REPLIED)
        }
}
