import CFFI
import CHSLink
import ComponentKit
import Glibc
import SystemSupport

/// A pointer from a C library as an object in payloads. Its kind is checked, and it is released exactly once.
///
/// It is released when its last reference is dropped, by a call to the function that releases its kind, or by its
/// selector `close`. Any later use is an error.
@safe
// Unchecked: its pointers are set in init; everything that changes is guarded by a lock.
final class ForeignHandle: @unchecked Sendable {
    private struct State {
        /// The address of the pointer; 0 once it is released.
        var address: UInt
        /// The number of handles that keep this one, or a part of it, alive.
        var keeperCount = 0
        /// The number of unfinished calls that use this handle, or a handle that keeps it or is a part of it.
        var useCount = 0
        /// The wakeup of the thread that waits for the last of those calls.
        var waiter: Wakeup?
        /// The callbacks, the memory and the handles that C may use as long as the handle, each once.
        var kept: [ObjectIdentifier: any AnyObject & Sendable] = [:]
    }

    /// The object at the boundary: its struct first, then a pointer back to the handle.
    @unsafe
    private struct Record {
        var base: hslink_object
        var handle: UnsafeMutableRawPointer
    }

    let kind: HandleKind
    let family: HandleFamily
    /// The handle that this one keeps alive, or the whole that it is a part of.
    private let parent: ForeignHandle?
    private let isPart: Bool
    /// The generation of parts that this one belongs to.
    private let generation: Int
    /// Whether C only lent the pointer to a callback.
    let isLent: Bool
    private let release: UnsafeRawPointer?
    /// The memory of a struct that was allocated for the handle.
    let memory: UnsafeMutableRawPointer?
    private let state: Lock<State>
    private let record: UnsafeMutablePointer<Record>
    private let type: HandleType
    /// The link of the component that the handle belongs to; nil for a lent handle.
    let owner: Link?

    /// - Parameters:
    ///   - pointer: The pointer that functions receive.
    ///   - kind: The kind of the handle.
    ///   - release: The function that releases the pointer; nil if there is none.
    ///   - parent: A handle that must live at least as long as this one.
    ///   - isPart: Whether the handle ends with its parent.
    ///   - isLent: Whether C only lent the pointer, until ``invalidate()``.
    ///   - memory: Memory that is freed with the handle.
    ///   - owner: The link of the component that the handle belongs to.
    init(
        _ pointer: UnsafeMutableRawPointer, _ kind: HandleKind, release: UnsafeRawPointer?,
        parent: ForeignHandle? = nil, isPart: Bool = false, isLent: Bool = false,
        memory: UnsafeMutableRawPointer? = nil,
        owner: Link? = nil
    ) {
        self.kind = kind
        unsafe self.release = isPart || isLent ? nil : unsafe release
        // A part that was found from another one does not need it: a walk along a list would make a chain of them all.
        self.parent = isPart ? parent?.whole : parent
        self.isPart = isPart
        self.isLent = isLent
        self.owner = owner
        unsafe self.memory = unsafe memory
        family = parent?.family ?? HandleFamily()
        generation = family.generation
        state = Lock(State(address: UInt(bitPattern: pointer)))
        type = HandleType.named(kind.name)
        unsafe record = .allocate(capacity: 1)
        unsafe record.initialize(
            to: Record(
                base: hslink_object(type: type.pointer), handle: Unmanaged.passUnretained(self).toOpaque()))
        if !isPart { parent?.addKeeper() }
    }

    deinit {
        let (address, kept) = state.withLock { state in (state.address, Array(state.kept.values)) }
        unsafe record.deallocate()
        // A handle that was released before, or that ends with its parent, needs no release in the family.
        guard !isPart, let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address) else {
            return unsafe free(memory)
        }
        family.release(
            unsafe HandleRelease(pointer, release, parent: parent, memory: memory, kept: kept))
    }

    /// Returns the handle behind an object; nil if the object is not a handle.
    static func behind(_ object: UnsafeMutablePointer<hslink_object>) -> ForeignHandle? {
        guard unsafe HandleType.isOne(object.pointee.type) else { return nil }
        let record = unsafe UnsafeMutableRawPointer(object).assumingMemoryBound(to: Record.self)
        return unsafe Unmanaged<ForeignHandle>.fromOpaque(record.pointee.handle).takeUnretainedValue()
    }

    /// The handle as a payload value, which holds its own reference.
    var payload: Payload {
        unsafe ForeignHandle.retain(object)
        return unsafe Payload(adopting: object)
    }

    private var object: UnsafeMutablePointer<hslink_object> {
        unsafe UnsafeMutableRawPointer(record).assumingMemoryBound(to: hslink_object.self)
    }

    /// Returns the pointer for functions. The thread must own the family.
    ///
    /// - Throws: `LinkError` if the handle, or the one that it is a part of, has been released.
    func pointer() throws(LinkError) -> UnsafeMutableRawPointer {
        guard let pointer = unsafe current else {
            throw LinkError(.payloadMismatch, message: "the handle \(kind.name) has been released")
        }
        return unsafe pointer
    }

    /// Whether the handle, or the one that it is a part of, has been released. The thread must own the family.
    var hasEnded: Bool { unsafe current == nil }

    private var current: UnsafeMutableRawPointer? {
        if isPart {
            guard generation == family.generation else { return nil }
            if let parent, unsafe parent.current == nil { return nil }
        }
        return unsafe UnsafeMutableRawPointer(bitPattern: state.withLock { $0.address })
    }

    /// Invalidates the handle and returns its pointer, for a function that releases it. The thread must own the family.
    /// What the handle has kept is to be taken from it then, with ``takeKept()`` or ``takeKeptHandles()``.
    ///
    /// - Parameters:
    ///   - ownUses: How often the releasing call itself uses the handle.
    ///   - ownKeepers: How many of the handles that keep it the call releases too.
    /// - Throws: `LinkError` as ``checkCanBeReleased(ownUses:ownKeepers:)``.
    func consume(ownUses: Int = 0, ownKeepers: Int = 0) throws(LinkError) -> UnsafeMutableRawPointer {
        let pointer = try unsafe pointer()
        try checkRelease(ownUses: ownUses, ownKeepers: ownKeepers, invalidates: true)
        return unsafe pointer
    }

    /// Checks that a function may release the handle. The thread must own the family.
    ///
    /// - Throws: `LinkError` if the handle has been released, belongs to another owner, is kept by other handles, or is
    ///   in use. A callback may try to release a handle that C is using on the same thread.
    func checkCanBeReleased(ownUses: Int, ownKeepers: Int) throws(LinkError) {
        _ = try unsafe pointer()
        try checkRelease(ownUses: ownUses, ownKeepers: ownKeepers, invalidates: false)
    }

    private func checkRelease(ownUses: Int, ownKeepers: Int, invalidates: Bool) throws(LinkError) {
        guard !isPart, !isLent else {
            throw LinkError(
                .payloadMismatch,
                message: "the handle \(kind.name) belongs to another owner and cannot be released here")
        }
        let (keepers, uses) = state.withLock { state in
            let (keepers, uses) = (state.keeperCount - ownKeepers, state.useCount - ownUses)
            if invalidates, keepers == 0, uses == 0 { state.address = 0 }
            return (keepers, uses)
        }
        guard uses == 0 else {
            throw LinkError(
                .payloadMismatch,
                message: "the handle \(kind.name) is in use by a call that has not returned, or by a closure that has "
                    + "returned it")
        }
        guard keepers == 0 else {
            throw LinkError(
                .payloadMismatch,
                message:
                    "the handle \(kind.name) cannot be released while others need it (\(keepers)); release those first")
        }
    }

    // MARK: Calls that use the handle

    /// Marks the handle and its parents as in use by a call: none of them is released before ``endUse()``.
    ///
    /// Before this call, another thread may invalidate a lent handle, so call ``pointer()`` only after it.
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

    /// Returns how often a call that uses this handle uses `other`.
    func uses(of other: ForeignHandle) -> Int { (self === other ? 1 : 0) + (parent?.uses(of: other) ?? 0) }

    /// Keeps a callback, memory or a handle as long as C may use it with this handle.
    private func keep(_ object: any AnyObject & Sendable) {
        // What has no release, or belongs to C, may live as long as the process.
        guard unsafe release != nil || memory != nil else {
            _ = unsafe Unmanaged<AnyObject>.passRetained(object)
            return
        }
        // A cursor may be pointed to the same tree any number of times. Each that keeps a handle is counted.
        let handle = (object as? HandleKeep).map { HandleKeep($0.handle, isReference: $0.isReference) }
        let held: any AnyObject & Sendable
        if let handle { held = handle } else { held = object }
        let key = handle.map { ObjectIdentifier($0.handle) } ?? ObjectIdentifier(object)
        let replaced = state.withLock { state -> (any AnyObject & Sendable)? in
            if let known = state.kept[key] as? HandleKeep, known.isReference || handle?.isReference == false {
                return nil
            }
            return state.kept.updateValue(held, forKey: key)
        }
        // Not under the lock, because it may be the last reference to anything.
        withExtendedLifetime(replaced) {}
    }

    /// Keeps what C uses with this handle from then on. A handle is not released before this one, and belongs to its
    /// family, because C may reach it through this one.
    func keepForC(_ object: any AnyObject & Sendable) {
        let whole = whole
        // The target may live on when this reference to it is given up.
        for keeper in whole.sharingParts {
            if let keep = object as? HandleKeep {
                keeper.family.join(keep.handle.family)
                // Nothing has to keep what it depends on, or a part of what it is a part of.
                if keeper.depends(on: keep.handle) { continue }
                // Two references that keep each other would never be released.
                if keep.handle.depends(on: keeper), keeper !== whole || keep.isReference { continue }
            }
            keeper.keep(object)
        }
    }

    /// Returns what C may use with this handle, which a function has taken over: callbacks, memory, and the handle that
    /// this one has kept. It keeps them no longer. Called after ``consume(ownUses:ownKeepers:)``.
    func takeKept() -> [any AnyObject & Sendable] {
        let kept = keptWithParent
        state.withLock { $0.kept = [:] }
        parent?.isKeptNoLonger()
        return kept
    }

    /// What C may use with this handle: callbacks, memory, and handles, also the one that this one keeps.
    var keptWithParent: [any AnyObject & Sendable] {
        let kept = state.withLock { Array($0.kept.values) }
        guard let parent, !isPart else { return kept }
        return kept + [HandleKeep(parent, isReference: refersToItsKind)]
    }

    /// Returns the handles that C reached through this one, which has been released, and keeps them no longer. To be dropped
    /// when the thread has left the family.
    func takeKeptHandles() -> [any AnyObject & Sendable] {
        parent?.isKeptNoLonger()
        return state.withLock { state in
            let handles = state.kept.filter { $0.value is HandleKeep }
            for key in handles.keys { state.kept[key] = nil }
            return Array(handles.values)
        }
    }

    /// Invalidates a lent handle, and waits until calls from other threads that use it have returned.
    ///
    /// It waits for these calls without entering the family: a thread that has entered the family but has no pointer
    /// yet may be waiting for a handle that this thread's own call holds.
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

    /// Called when a handle keeps this one alive from then on. What keeps a part keeps what that is a part of.
    func addKeeper() { whole.state.withLock { $0.keeperCount += 1 } }

    /// Called when a handle that kept this one alive has been released.
    func isKeptNoLonger() { whole.state.withLock { $0.keeperCount -= 1 } }

    // MARK: Parts

    /// What this handle is a part of, or the handle itself.
    var whole: ForeignHandle { isPart ? parent?.whole ?? self : self }

    /// Returns how often the handle keeps `other` or a part of it alive.
    func keeps(_ other: ForeignHandle) -> Int {
        let isKept = state.withLock { $0.kept[ObjectIdentifier(other)] != nil }
        return (!isPart && parent?.whole === other ? 1 : 0) + (isKept ? 1 : 0)
    }

    /// Whether the handle ends when `other` is released, or keeps it from being released.
    func depends(on other: ForeignHandle) -> Bool { uses(of: other) > 0 }

    /// Whether the handle keeps one of its own kind: it may be another reference to the same target, as from
    /// `json_object_get`, so that both have the same parts.
    private var refersToItsKind: Bool { !isPart && parent?.kind.name.isExactly(kind.name) == true }

    /// The wholes that this one, or what it has taken over, may be another reference to a part of.
    private var referred: [ForeignHandle] {
        let kept = state.withLock { $0.kept.values.compactMap { $0 as? HandleKeep } }
        let handles = kept.filter(\.isReference).map(\.handle)
        guard refersToItsKind, let parent else { return handles }
        return handles + [parent.whole]
    }

    /// This whole, and those that may have parts in common with it.
    var sharingParts: [ForeignHandle] {
        var found = [self]
        var next = 0
        while next < found.count {
            for other in found[next].referred where !found.contains(where: { $0 === other }) { found.append(other) }
            next += 1
        }
        return found
    }

    /// Returns how often this whole keeps another one, because both may have the same parts.
    func references(to other: ForeignHandle) -> Int { referred.count { $0 === other } }

    /// Checks that nothing needs the parts of what this handle is or is a part of. The thread must own the family.
    ///
    /// - Parameters:
    ///   - ownUses: How often the call that ends them uses the whole.
    ///   - ownKeepers: How many of the handles that keep it the call releases, or may have the same parts.
    /// - Throws: `LinkError` if other handles keep it or a part of it, or if a call that has not returned uses one.
    func checkPartsCanEnd(ownUses: Int, ownKeepers: Int) throws(LinkError) {
        let (keepers, uses) = whole.state.withLock { ($0.keeperCount - ownKeepers, $0.useCount - ownUses) }
        guard uses == 0 else {
            throw LinkError(
                .payloadMismatch,
                message: "parts of the handle \(whole.kind.name) are in use by a call that has not returned, or by a "
                    + "closure that has returned them")
        }
        guard keepers == 0 else {
            throw LinkError(
                .payloadMismatch,
                message: "parts of the handle \(whole.kind.name) cannot end while other handles need it (\(keepers)); "
                    + "release those first")
        }
    }

    /// Releases the handle now. A part or a lent handle is only invalidated; its target is not released.
    ///
    /// - Throws: `LinkError` if the handle has been released, is kept by other handles or is in use; with the code
    ///   ``ComponentKit/LinkError/Code/wouldDeadlock`` if another thread owns the family and waits for this thread.
    func close() throws(LinkError) {
        let kept = try closeInFamily()
        withExtendedLifetime(kept) {}
    }

    /// - Returns: What is dropped when the thread has left the family.
    private func closeInFamily() throws(LinkError) -> [any AnyObject & Sendable] {
        try family.enter()
        defer { family.leave() }
        guard !isPart, !isLent else {
            _ = try unsafe pointer()
            state.withLock { $0.address = 0 }
            return []
        }
        unsafe HandleRelease.give(try consume(), to: release, parent)
        return takeKeptHandles()
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

/// A handle that C refers to through another one. It is not released before this object ends.
final class HandleKeep: Sendable {
    /// The handle, or what it is a part of.
    let handle: ForeignHandle
    /// Whether what keeps it may be another reference to the handle or to a part of it.
    let isReference: Bool

    init(_ handle: ForeignHandle, isReference: Bool = false) {
        self.handle = handle.whole
        self.isReference = isReference
        handle.addKeeper()
    }

    deinit { handle.isKeptNoLonger() }
}

/// The use of a handle by something other than a call. It ends with this object.
final class HandleUse: Sendable {
    let handle: ForeignHandle

    init(_ handle: ForeignHandle) {
        self.handle = handle
        handle.beginUse()
    }

    deinit { handle.endUse() }
}

/// The boundary's function table for a kind of handle. Made once for each name and never freed, because objects may
/// outlive everything else.
@safe
// Unchecked: written in init, read-only from then on.
private final class HandleType: @unchecked Sendable {
    let pointer: UnsafePointer<hslink_object_type>

    private init(_ name: String) {
        let text = unsafe Unmanaged.passRetained(ConstantText(name)).takeUnretainedValue()
        unsafe pointer = unsafe UnsafePointer(
            constant: hslink_object_type(
                struct_size: UInt32(MemoryLayout<hslink_object_type>.size), reserved: 0,
                name: hslink_string(utf8: text.bytes, length: text.length), retain: ForeignHandle.retain,
                release: ForeignHandle.release, invoke: HandleType.invoke, get_extension: HandleType.getExtension))
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

    /// Returns whether a function table belongs to a kind of handle.
    static func isOne(_ type: UnsafePointer<hslink_object_type>) -> Bool {
        unsafe unsafeBitCast(type.pointee.invoke, to: UInt.self) == unsafeBitCast(invoke, to: UInt.self)
    }

    private static let getExtension:
        @convention(c) (UnsafePointer<hslink_object_type>, hslink_string) -> UnsafeRawPointer? = { _, identifier in
            unsafe hslink_string_equals(identifier, HSLINK_OWNER) != 0 ? UnsafeRawPointer(ownerTable) : nil
        }

    /// Shared by all kinds. Written once when it is made, read-only from then on.
    nonisolated(unsafe) private static let ownerTable = unsafe UnsafePointer(
        constant: hslink_object_owner(
            struct_size: UInt32(MemoryLayout<hslink_object_owner>.size), flags: 0,
            host: { unsafe ForeignHandle.behind($0)?.owner?.hostFunctions }))

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
                    .selectorNotFound, message: "a handle has only the selector close; to use it, pass it to functions",
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
