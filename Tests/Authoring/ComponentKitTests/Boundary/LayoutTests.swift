import CHSLink
import Testing

/// A struct of the header as Swift sees it: its size, and the offsets of its members.
struct Layout: Sendable, CustomTestStringConvertible {
    let name: String
    let size: Int
    let expectedSize: Int
    let offsets: [Int?]
    let expectedOffsets: [Int]

    var testDescription: String { name }

    static func of<Value>(_ type: Value.Type, _ size: Int, _ members: (PartialKeyPath<Value>, Int)...) -> Layout {
        Layout(
            name: "\(type)", size: MemoryLayout<Value>.size, expectedSize: size,
            offsets: members.map { MemoryLayout<Value>.offset(of: $0.0) }, expectedOffsets: members.map(\.1))
    }

    // ABI 1.0: these numbers never change within major number 1.
    static let all: [Layout] = unsafe [
        .of(hslink_string.self, 16, (\.utf8, 0), (\.length, 8)),
        .of(hslink_value.self, 16, (\.tag, 0), (\.length, 4), (\.as, 8)),
        .of(hslink_entry.self, 32, (\.key, 0), (\.key_length, 8), (\.reserved, 12), (\.value, 16)),
        .of(
            hslink_error.self, 104, (\.struct_size, 0), (\.code, 4), (\.domain, 8), (\.message, 24), (\.class_name, 40),
            (\.selector, 56), (\.component, 72), (\.details, 88), (\.cause, 96)),
        .of(hslink_failure.self, 16, (\.report, 0), (\.context, 8)),
        .of(
            hslink_reply_ops.self, 32, (\.struct_size, 0), (\.reserved, 4), (\.complete, 8), (\.is_cancelled, 16),
            (\.on_cancel, 24)),
        .of(hslink_reply.self, 24, (\.ops, 0), (\.slot, 8), (\.token, 16)),
        .of(
            hslink_call.self, 72, (\.struct_size, 0), (\.flags, 4), (\.reply, 8), (\.deadline, 32), (\.caller, 40),
            (\.component, 56), (\.carried, 64)),
        .of(
            hslink_object_type.self, 56, (\.struct_size, 0), (\.reserved, 4), (\.name, 8), (\.retain, 24),
            (\.release, 32), (\.invoke, 40), (\.get_extension, 48)),
        .of(hslink_object.self, 8, (\.type, 0)),
        .of(
            hslink_method.self, 40, (\.name, 0), (\.kind, 16), (\.flags, 20), (\.function, 24), (\.context, 32)),
        .of(
            hslink_class.self, 56, (\.struct_size, 0), (\.instances, 4), (\.name, 8), (\.methods, 24),
            (\.method_count, 32), (\.method_stride, 36), (\.make, 40), (\.context, 48)),
        .of(
            hslink_descriptor.self, 88, (\.magic, 0), (\.struct_size, 8), (\.abi_major, 12), (\.abi_minor, 14),
            (\.name, 16), (\.version, 32), (\.classes, 48), (\.class_count, 56), (\.create, 64), (\.destroy, 72),
            (\.get_extension, 80)),
        .of(
            hslink_request.self, 80, (\.struct_size, 0), (\.kind, 4), (\.class_name, 8), (\.selector, 24),
            (\.object, 40), (\.payload, 48), (\.deadline, 56), (\.flags, 64), (\.carried, 72)),
        .of(hslink_call_id.self, 16, (\.slot, 0), (\.token, 8)),
        .of(
            hslink_host.self, 144, (\.struct_size, 0), (\.abi_major, 4), (\.abi_minor, 6), (\.component, 8),
            (\.directory, 24), (\.retain, 40), (\.release, 48), (\.call, 56), (\.cancel, 64), (\.bind, 72),
            (\.is_available, 80), (\.is_loaded, 88), (\.enter, 96), (\.leave, 104), (\.log, 112),
            (\.get_extension, 120), (\.begin_work, 128), (\.end_work, 136)),
        .of(
            hslink_host_data.self, 24, (\.struct_size, 0), (\.reserved, 4), (\.directory, 8),
            (\.cache_directory, 16)),
        .of(
            hslink_host_configuration.self, 32, (\.struct_size, 0), (\.reserved, 4), (\.environment, 8),
            (\.values, 16), (\.value, 24)),
        .of(hslink_value_sink.self, 16, (\.receive, 0), (\.context, 8)),
        .of(
            hslink_host_resources.self, 32, (\.struct_size, 0), (\.reserved, 4), (\.directory, 8), (\.open, 16),
            (\.names, 24)),
        .of(hslink_text_sink.self, 16, (\.receive, 0), (\.context, 8)),
        .of(hslink_object_owner.self, 16, (\.struct_size, 0), (\.flags, 4), (\.host, 8)),
        .of(hslink_stopping.self, 16, (\.struct_size, 0), (\.reserved, 4), (\.stopping, 8)),
    ]
}

@Suite("The structs of hslink.h")
struct LayoutTests {
    @Test("have the sizes and offsets of ABI 1.0", arguments: Layout.all)
    func layout(layout: Layout) {
        #expect(layout.size == layout.expectedSize)
        #expect(layout.offsets == layout.expectedOffsets)
    }
}
