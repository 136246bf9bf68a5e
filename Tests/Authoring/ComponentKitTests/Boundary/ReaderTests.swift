import CHSLink
import TestSupport
import Testing

@testable import ComponentKit

@Suite("Readers of structs that may grow")
struct ReaderTests {
    /// Memory that ends at an unreadable page.
    private func received(size: Int) -> (copy: LinkError, full: LinkError) {
        let full = LinkError(
            .stuck, message: "message", className: "Class", selector: "selector", component: "Component",
            details: 1, cause: LinkError(.cancelled))
        let copy = unsafe full.withUnsafeError { pointer in
            var value = unsafe pointer.pointee
            unsafe value.struct_size = UInt32(size)
            let guarded = unsafe GuardedBytes(value, count: size)
            return withExtendedLifetime(guarded) {
                unsafe LinkError(copying: guarded.start.assumingMemoryBound(to: hslink_error.self))
            }
        }
        return (copy, full)
    }

    @Test(
        "only complete members of an error are read",
        arguments: Array(stride(from: 4, through: 104, by: 4)))
    func error(size: Int) {
        let (copy, full) = received(size: size)
        #expect(copy.code.rawValue == (size >= 8 ? full.code.rawValue : 0))
        #expect(copy.message == (size >= 40 ? full.message : copy.code.sentence))
        #expect(copy.className == (size >= 56 ? full.className : ""))
        #expect(copy.selector == (size >= 72 ? full.selector : ""))
        #expect(copy.component == (size >= 88 ? full.component : ""))
        #expect(copy.details == (size >= 96 ? full.details : nil))
        #expect(copy.cause?.code == (size >= 104 ? .cancelled : nil))
    }

    @Test("a grown error is read as far as it is known")
    func grownError() {
        // The error borrows its message.
        let copy = unsafe "grown".withCString { message in
            var value = unsafe hslink_error_make(6, message)
            unsafe value.struct_size = 400
            let guarded = unsafe GuardedBytes(value, count: 400)
            return withExtendedLifetime(guarded) {
                unsafe LinkError(copying: guarded.start.assumingMemoryBound(to: hslink_error.self))
            }
        }
        #expect(copy.message == "grown")
    }

    /// An array of methods as in a later revision of this package.
    @unsafe
    private struct GrownMethod: BitwiseCopyable {
        var base: hslink_method
        var more: (UInt64, UInt64)
    }

    @Test("a grown reader accepts a struct of 1.0, and reads no byte beyond", arguments: [40, 48, 56, 400])
    func grownReader(size: Int) {
        let row = unsafe GrownMethod(
            base: hslink_method(
                name: hslink_string(), kind: 1, flags: 2, function: { _, _, _, _ in 0 }, context: nil), more: (3, 4))
        let guarded = unsafe GuardedBytes(row, count: size)
        let copy = unsafe UnsafeRawPointer(guarded.start).loadBeginning(of: GrownMethod.self, size: size)
        #expect(unsafe copy.base.kind == 1)
        #expect(unsafe copy.base.flags == 2)
        #expect(unsafe copy.more.0 == (size >= 48 ? 3 : 0))
        #expect(unsafe copy.more.1 == (size >= 56 ? 4 : 0))
    }

    @Test("a message that is too long is truncated when it is sent", arguments: ["x", "ä", "🙂"])
    func longMessage(character: Character) {
        let text = String(repeating: character, count: 70000)
        let copy = unsafe LinkError(.methodFailed, message: text).withUnsafeError { unsafe LinkError(copying: $0) }
        #expect(copy.message.utf8.count <= HSLINK_MESSAGE_BYTES)
        #expect(copy.message.utf8.count > HSLINK_MESSAGE_BYTES - 8)
        #expect(copy.message.hasSuffix("…"))
        #expect(text.hasPrefix(copy.message.dropLast()))
    }

    /// An object whose type ends at an unreadable page.
    private func check(typeOf size: Int, saying said: Int? = nil) -> PayloadError? {
        let type = unsafe hslink_object_type(
            struct_size: UInt32(said ?? size), reserved: 0, name: hslink_string(), retain: { _ in },
            release: { _ in }, invoke: { _, _, _, _ in 0 }, get_extension: nil)
        let guarded = unsafe GuardedBytes(type, count: size)
        return withExtendedLifetime(guarded) {
            var object = unsafe hslink_object(type: guarded.start.assumingMemoryBound(to: hslink_object_type.self))
            do throws(PayloadError) {
                unsafe try ObjectCheck.check(&object)
                return nil
            } catch {
                return error
            }
        }
    }

    @Test("an object's type has the size of 1.0, or more")
    func objectType() {
        #expect(HSLINK_OBJECT_TYPE_SIZE_1_0 == 56)
        #expect(check(typeOf: 56) == nil)
        #expect(check(typeOf: 200) == nil)
        for size in [4, 8, 24, 48, 52] {
            #expect(check(typeOf: size)?.found.contains("\(size) bytes") == true, "\(size)")
        }
    }

    @Test(
        "a text with an impossible length is not read",
        arguments: [-1, .min, .max, 1 << 40, 65537])
    func length(length: Int) {
        let guarded = GuardedBytes(UInt8(ascii: "x"))
        let bytes = unsafe guarded.start.assumingMemoryBound(to: CChar.self)
        let text = unsafe String(hslink_string(utf8: bytes, length: length))
        #expect(text == "(a string of \(UInt(bitPattern: length)) bytes)")
        var error = unsafe hslink_error_make(6, "")
        unsafe error.message = unsafe hslink_string(utf8: bytes, length: length)
        unsafe error.domain = unsafe hslink_string(utf8: bytes, length: length)
        let copy = unsafe LinkError(copying: &error)
        #expect(copy.message == text)
        #expect(copy.domain == text)
        #expect(copy.code == .methodFailed)
    }

    @Test("a NULL text with a length is reported")
    func null() {
        #expect(unsafe String(hslink_string(utf8: nil, length: 7)) == "(a string of 7 bytes)")
        #expect(unsafe String(hslink_string(utf8: nil, length: 0)) == "")
        #expect(unsafe hslink_string_equals(hslink_string(utf8: nil, length: 1), "x") == 0)
        #expect(unsafe hslink_string_equals(hslink_string(utf8: nil, length: 0), "") == 1)
    }

    @Test("the longest text is read", arguments: [4096, 65536])
    func longest(length: Int) {
        let text = String(repeating: "x", count: length)
        #expect(unsafe text.withLinkString { unsafe String($0) } == text)
    }

    @Test("a NULL name does not find an object method")
    func nullSelector() throws {
        let table = ClassTable(
            [LinkMethod<Named>.method("name") { _, _ in 1 }], name: "Named", instances: .shared,
            make: { try Named($0) })
        let backend = NoBackend()
        let object = unsafe ObjectBox.make(
            Named(), type: table.objectType, backend: backend)
        let owner = unsafe LinkObject(adopting: object)
        #expect(throws: LinkError.self) { try owner.callAndWait("other") }
        let thread = ThreadContext.current
        let pending = PendingReply.open(on: thread, ledger: 0)
        var call = unsafe hslink_call(
            struct_size: UInt32(MemoryLayout<hslink_call>.size), flags: 0, reply: pending.handle(on: thread),
            deadline: 0, caller: hslink_string(), component: nil, carried: nil)
        var null = unsafe hslink_null()
        let status = unsafe owner.pointer.pointee.type.pointee.invoke(
            owner.pointer, hslink_string(utf8: nil, length: 4), &null, &call)
        #expect(status == Int32(HSLINK_REPLIED))
        guard case .failure(let error) = pending.takeReplied(on: thread) else {
            Issue.record("it was called")
            return
        }
        #expect(error.code == .selectorNotFound)
    }
}

private final class Named: LinkClass {
    init() {}
    init(_ context: ComponentContext) throws {}
    static let methods: [LinkMethod<Named>] = []
}
