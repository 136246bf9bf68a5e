import CHSLink
import Testing

@testable import ComponentKit

@Suite("The constants of hslink.h and their Swift counterparts")
struct ConstantTests {
    @Test(
        "error codes",
        arguments: [
            (LinkError.Code.classNotFound, HSLINK_ERROR_CLASS_NOT_FOUND, 1),
            (.selectorNotFound, HSLINK_ERROR_SELECTOR_NOT_FOUND, 2), (.notLoaded, HSLINK_ERROR_NOT_LOADED, 3),
            (.stopped, HSLINK_ERROR_STOPPED, 4), (.payloadMismatch, HSLINK_ERROR_PAYLOAD, 5),
            (.methodFailed, HSLINK_ERROR_FAILED, 6), (.deadlineExceeded, HSLINK_ERROR_DEADLINE, 7),
            (.cancelled, HSLINK_ERROR_CANCELLED, 8), (.stuck, HSLINK_ERROR_STUCK, 9),
            (.noReply, HSLINK_ERROR_NO_REPLY, 10),
            (.replyDropped, HSLINK_ERROR_DROPPED, 11), (.invalidReply, HSLINK_ERROR_INVALID_REPLY, 12),
            (.wouldDeadlock, HSLINK_ERROR_WOULD_DEADLOCK, 13), (.tooDeep, HSLINK_ERROR_TOO_DEEP, 14),
            (.routeNotFound, HSLINK_ERROR_ROUTE_NOT_FOUND, 15), (.routeDeclined, HSLINK_ERROR_ROUTE_DECLINED, 16),
            (.routeRefused, HSLINK_ERROR_ROUTE_REFUSED, 17),
        ])
    func errorCodes(code: LinkError.Code, constant: Int, number: Int) {
        #expect(Int(code.rawValue) == constant)
        #expect(constant == number)
        #expect(!code.description.hasPrefix("code "))
        #expect(LinkError(code).message == code.sentence)
    }

    @Test(
        "kinds of values",
        arguments: [
            (PayloadKind.null, HSLINK_NULL, 0), (.bool, HSLINK_BOOL, 1), (.int, HSLINK_INT, 2), (.uint, HSLINK_UINT, 3),
            (.double, HSLINK_DOUBLE, 4), (.string, HSLINK_STRING, 5), (.bytes, HSLINK_BYTES, 6),
            (.date, HSLINK_DATE, 7),
            (.array, HSLINK_ARRAY, 8), (.map, HSLINK_MAP, 9), (.object, HSLINK_OBJECT, 10),
        ])
    func kinds(kind: PayloadKind, constant: Int, number: Int) {
        #expect(constant == number)
        let value = unsafe hslink_value_make(UInt32(constant), 0, 0)
        #expect(unsafe value.kind == kind)
    }

    @Test("kinds of selectors")
    func selectorKinds() {
        #expect(SelectorKind.object.boundary == 0)
        #expect(SelectorKind.class.boundary == 1)
        #expect([HSLINK_OBJECT_METHOD, HSLINK_CLASS_METHOD] == [0, 1])
        for kind in SelectorKind.allCases { #expect(SelectorKind(boundary: kind.boundary) == kind) }
        #expect(SelectorKind(boundary: 2) == nil)
        #expect(SelectorKind(boundary: .max) == nil)
    }

    @Test("all others")
    func others() {
        let policies: [InstancePolicy] = [.shared, .perCall, .perConsumer]
        #expect(policies.map { Int($0.boundary) } == [HSLINK_SHARED, HSLINK_PER_CALL, HSLINK_PER_CONSUMER])
        #expect(policies.map(\.boundary) == [0, 1, 2])
        let levels: [LogLevel] = [.debug, .info, .warning, .error]
        #expect(
            levels.map { Int($0.rawValue) } == [
                HSLINK_LOG_DEBUG, HSLINK_LOG_INFO, HSLINK_LOG_WARNING, HSLINK_LOG_ERROR,
            ])
        #expect(levels.map(\.rawValue) == [0, 1, 2, 3])
        #expect([HSLINK_REPLIED, HSLINK_LATER] == [0, 1])
        #expect([HSLINK_OK, HSLINK_LATE] == [0, 1])
        #expect([HSLINK_METHOD_QUICK, HSLINK_METHOD_MAIN, HSLINK_METHOD_ASYNC] == [1, 2, 4])
        #expect(HSLINK_DETACH == 1)
        #expect(
            [
                HSLINK_NOTE_COMPONENT, HSLINK_NOTE_LINK_CLASS, HSLINK_NOTE_SERVICE, HSLINK_NOTE_MODEL,
                HSLINK_NOTE_TOOLCHAIN,
            ]
                == [1, 2, 3, 4, 16])
    }

    @Test("a descriptor begins with magic, size and version")
    func descriptor() throws {
        #expect([HSLINK_ABI_MAJOR, HSLINK_ABI_MINOR] == [1, 0])
        let component = LinkedComponent.make(name: "Made", version: "3.2.1", [])
        let descriptor = unsafe component.descriptor.pointee
        let bytes = unsafe withUnsafeBytes(of: descriptor.magic) { unsafe Array($0) }
        #expect(bytes == Array("HSLINK\r\n".utf8))
        #expect(unsafe descriptor.struct_size == 88)
        #expect(unsafe Int32(descriptor.abi_major) == HSLINK_ABI_MAJOR)
        #expect(unsafe Int32(descriptor.abi_minor) == HSLINK_ABI_MINOR)
        #expect(unsafe String(descriptor.name) == "Made")
        #expect(unsafe String(descriptor.version) == "3.2.1")
        #expect(unsafe descriptor.class_count == 0)
    }
}
