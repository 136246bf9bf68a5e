import CFFI
import CHSLink
import ComponentKit
import Glibc

/// A pointer of a C library as a payload object: passed around, checked by its kind, released once.
///
/// It is released when the last reference to it goes, or by a call of the function that releases its kind, or of its
/// selector `close`. Later uses are errors.
@safe
// Unchecked: its pointers are set in init; what changes is behind a lock.
final class ForeignHandle: @unchecked Sendable {
    private struct State {
        /// 0 once it is released.
        var address: UInt
        /// Handles that keep this one.
        var keeperCount = 0
        /// Calls that have not returned and were given this one, or a handle that keeps it or is a part of it.
        var useCount = 0
        /// Of the thread that waits for the last of those calls.
        var waiter: Wakeup?
        var callbacks: [ForeignClosure] = []
    }

    /// What the boundary sees: its struct first, then the way back.
    @unsafe
    private struct Record {
        var base: hslink_object
        var handle: UnsafeMutableRawPointer
    }

    let kind: HandleKind
    let family: HandleFamily
    /// The handle that this one keeps, or is a part of.
    private let parent: ForeignHandle?
    private let isPart: Bool
    /// Whether C only lent it, to a callback.
    private let isLent: Bool
    private let release: UnsafeRawPointer?
    /// Of a struct that was made for the handle.
    private let memory: UnsafeMutableRawPointer?
    private let state: Lock<State>
    private let record: UnsafeMutablePointer<Record>
    private let type: HandleType
    /// Of the component that the handle belongs to; nil for what was only lent.
    let owner: Link?

    /// - Parameters:
    ///   - pointer: what functions are given.
    ///   - kind: of the handle.
    ///   - release: the function that takes it back; nil when there is none.
    ///   - parent: a handle that has to stay as long as this one does.
    ///   - isPart: whether it ends with its parent.
    ///   - isLent: whether C only lent it, until ``invalidate()``.
    ///   - memory: freed with the handle.
    ///   - owner: the link of the component that the handle belongs to.
    init(
        _ pointer: UnsafeMutableRawPointer, _ kind: HandleKind, release: UnsafeRawPointer?,
        parent: ForeignHandle? = nil, isPart: Bool = false, isLent: Bool = false,
        memory: UnsafeMutableRawPointer? = nil,
        owner: Link? = nil
    ) {
        self.kind = kind
        unsafe self.release = isPart || isLent ? nil : unsafe release
        self.parent = parent
        self.isPart = isPart
        self.isLent = isLent
        self.owner = owner
        unsafe self.memory = unsafe memory
        family = parent?.family ?? HandleFamily()
        state = Lock(State(address: UInt(bitPattern: pointer)))
        type = HandleType.named(kind.name)
        unsafe record = .allocate(capacity: 1)
        unsafe record.initialize(
            to: Record(
                base: hslink_object(type: type.pointer), handle: Unmanaged.passUnretained(self).toOpaque()))
        if !isPart { parent?.state.withLock { $0.keeperCount += 1 } }
    }

    deinit {
        let (address, callbacks) = state.withLock { state in (state.address, state.callbacks) }
        unsafe record.deallocate()
        // Nothing is left to do in the family for one that was released before, or ends with its parent.
        guard !isPart, let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address) else {
            return unsafe free(memory)
        }
        family.release(
            unsafe HandleRelease(pointer, release, parent: parent, memory: memory, callbacks: callbacks))
    }

    /// The handle behind an object; nil for an object that is not a handle.
    static func behind(_ object: UnsafeMutablePointer<hslink_object>) -> ForeignHandle? {
        guard unsafe HandleType.isOne(object.pointee.type) else { return nil }
        let record = unsafe UnsafeMutableRawPointer(object).assumingMemoryBound(to: Record.self)
        return unsafe Unmanaged<ForeignHandle>.fromOpaque(record.pointee.handle).takeUnretainedValue()
    }

    /// The handle as a value, with a reference of its own.
    var payload: Payload {
        unsafe ForeignHandle.retain(object)
        return unsafe Payload(adopting: object)
    }

    private var object: UnsafeMutablePointer<hslink_object> {
        unsafe UnsafeMutableRawPointer(record).assumingMemoryBound(to: hslink_object.self)
    }

    /// What functions are given, inside of its family.
    ///
    /// - Throws: when it has been released, or what it is a part of.
    func pointer() throws(LinkError) -> UnsafeMutableRawPointer {
        guard let pointer = unsafe current else {
            throw LinkError(.payloadMismatch, message: "the handle \(kind.name) has been released")
        }
        return unsafe pointer
    }

    private var current: UnsafeMutableRawPointer? {
        if isPart, let parent, unsafe parent.current == nil { return nil }
        return unsafe UnsafeMutableRawPointer(bitPattern: state.withLock { $0.address })
    }

    /// Takes the pointer out, for a function that releases it. Inside of its family.
    ///
    /// - Parameter ownUses: how often the call that releases it uses it itself.
    /// - Throws: when it has been released, belongs to another, or others keep it or use it: a callback may come while
    ///   C works with the handle, on the thread that is inside of the family.
    func consume(ownUses: Int = 0) throws(LinkError) -> UnsafeMutableRawPointer {
        let pointer = try unsafe pointer()
        guard !isPart, !isLent else {
            throw LinkError(
                .payloadMismatch,
                message: "the handle \(kind.name) belongs to another and is not released by itself")
        }
        let (keepers, uses) = state.withLock { state in
            let uses = state.useCount - ownUses
            if state.keeperCount == 0, uses == 0 { state.address = 0 }
            return (state.keeperCount, uses)
        }
        guard uses == 0 else {
            throw LinkError(
                .payloadMismatch, message: "the handle \(kind.name) is in use by a call that has not returned")
        }
        guard keepers == 0 else {
            throw LinkError(
                .payloadMismatch,
                message:
                    "the handle \(kind.name) cannot be released while others need it (\(keepers)); release those first")
        }
        parent?.isKeptNoLonger()
        return unsafe pointer
    }

    // MARK: Calls that use it

    /// A call uses it, and what it keeps or is a part of: none of those is released before ``endUse()``.
    ///
    /// What was lent may end meanwhile for others, so ``pointer()`` is asked behind this.
    func beginUse() {
        parent?.beginUse()
        state.withLock { $0.useCount += 1 }
    }

    func endUse() {
        state.withLock { state in
            state.useCount -= 1
            guard state.useCount == 0, let waiter = state.waiter else { return }
            state.waiter = nil
            waiter.wake()
        }
        parent?.endUse()
    }

    /// How often a call that is given this one uses another.
    func uses(of other: ForeignHandle) -> Int { (self === other ? 1 : 0) + (parent?.uses(of: other) ?? 0) }

    /// A callback lives as long as this does.
    func keep(_ closure: ForeignClosure) { state.withLock { $0.callbacks.append(closure) } }

    /// Ends a handle to what C only lent, once the calls of other threads that are inside with it have returned.
    ///
    /// It waits for these calls and does not enter the family: a thread that has entered it and got no pointer yet may
    /// be waiting for a handle that this thread's own call holds.
    func invalidate() {
        let wakeup = Wakeup()
        let isUsed = state.withLock { state in
            state.address = 0
            guard state.useCount > 0 else { return false }
            state.waiter = wakeup
            return true
        }
        if isUsed { HandleWaits.wait(for: wakeup, from: family) }
    }

    /// One that kept it has been released.
    func isKeptNoLonger() { state.withLock { $0.keeperCount -= 1 } }

    /// Releases it now. One that belongs to another only ends: what it leads to stays.
    ///
    /// - Throws: when it has been released, or others keep it or use it; ``ComponentKit/LinkError/Code/wouldDeadlock``
    ///   when another thread is inside with it and waits for this one.
    func close() throws(LinkError) {
        try family.enter()
        defer { family.leave() }
        guard !isPart, !isLent else {
            _ = try unsafe pointer()
            return state.withLock { $0.address = 0 }
        }
        unsafe HandleRelease.give(try consume(), to: release, parent)
    }

    fileprivate static let retain: @convention(c) (UnsafeMutablePointer<hslink_object>) -> Void = { object in
        let record = unsafe UnsafeMutableRawPointer(object).assumingMemoryBound(to: Record.self)
        _ = unsafe Unmanaged<ForeignHandle>.fromOpaque(record.pointee.handle).retain()
    }

    fileprivate static let release: @convention(c) (UnsafeMutablePointer<hslink_object>) -> Void = { object in
        let record = unsafe UnsafeMutableRawPointer(object).assumingMemoryBound(to: Record.self)
        unsafe Unmanaged<ForeignHandle>.fromOpaque(record.pointee.handle).release()
    }
}

/// The boundary's table of a kind of handles. Made once for each name, never freed: objects may outlive everything.
@safe
// Unchecked: written in init, read-only from then on.
private final class HandleType: @unchecked Sendable {
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
