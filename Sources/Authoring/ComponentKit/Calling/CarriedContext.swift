package import CHSLink
import Glibc
public import Instrumentation
import Synchronization
import SystemSupport

extension ServiceContext {
    /// The strings that calls carry with them, such as a tenant, a session or the `traceparent` of a trace.
    ///
    ///     var context = ServiceContext.current ?? .topLevel
    ///     context.carried["tenant"] = "acme"
    ///     let answer = try await ServiceContext.withValue(context) { try await host.call("OrderLink", "open") }
    ///
    /// The called method finds them in its own `ServiceContext.current`, whichever component it belongs to. So do the
    /// methods that it calls in turn, across threads and tasks. A component in C finds them in its call. As long as
    /// none are set, they cost nothing.
    ///
    /// A call carries at most 64 strings with 8,192 bytes in total (keys and values); a call with more fails with
    /// ``LinkError/Code/payloadMismatch``. An empty dictionary carries nothing, even if the caller's own call carried
    /// something.
    public var carried: [String: String] {
        get { self[Carried.self]?.texts ?? [:] }
        set { self[Carried.self] = Carried(newValue) }
    }
}

/// The strings that a call carries, in boundary form.
package struct Carried: ServiceContextKey, Sendable {
    package typealias Value = Carried

    /// A map of strings.
    package let payload: Payload
    /// The error for strings that exceed the limits of a call; nil if they are within the limits.
    private let excess: Excess?

    /// A class, so that the value is cheap to copy.
    private final class Excess: Sendable {
        let error: PayloadError
        init(_ error: PayloadError) { self.error = error }
    }

    /// Whether a call can carry the strings.
    package var fits: Bool { excess == nil }

    /// Whether this image has ever carried anything. Until it has, calls skip the check.
    private static let isUsed = Atomic<Bool>(false)

    /// Whether a call has to check for strings set by the running code.
    @inline(__always)
    package static var isInUse: Bool { isUsed.load(ordering: .relaxed) }

    package init(_ texts: [String: String]) {
        Carried.isUsed.store(true, ordering: .relaxed)
        let payload = Payload(entries: texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        self.payload = payload
        excess = Carried.excess(of: payload)
    }

    private static func excess(of payload: Payload) -> Excess? {
        do throws(PayloadError) {
            _ = try unsafe payload.withUnsafeValue { value throws(PayloadError) in
                try unsafe Payload(carried: value.pointee)
            }
            return nil
        } catch {
            return Excess(error)
        }
    }

    /// Creates the value from a payload that is known to be valid.
    ///
    /// - Parameter payload: a map of strings within the limits of a call.
    package init(known payload: Payload) {
        self.payload = payload
        excess = nil
    }

    /// Creates the value from the payload that the current call carries.
    private init(received payload: Payload) {
        Carried.isUsed.store(true, ordering: .relaxed)
        self.payload = payload
        excess = nil
    }

    package var texts: [String: String] {
        var texts: [String: String] = [:]
        for (key, value) in (try? payload.entries()) ?? [] { texts[key] = try? value.string() }
        return texts
    }

    /// The strings that the running code has set for its calls; a failure if they exceed the limits of a call. Nil if
    /// none are set: a call then carries what the thread's current call carries, if anything.
    @inline(never)
    package static var ofRunningCode: Result<Payload?, LinkError> {
        guard isInUse, let context = ServiceContext.current else { return .success(nil) }
        if let known = unsafe ThreadContext.current.state.pointee.lastCarried, known.context.isSame(as: context) {
            return .success(known.payload)
        }
        guard let carried = look(into: context) else { return .success(nil) }
        return carried.excess.map { .failure(LinkError(thrown: $0.error)) } ?? .success(carried.payload)
    }

    /// Like ``ofRunningCode``, but without checking the limits.
    @inline(__always)
    package static var current: Payload? {
        isUsed.load(ordering: .relaxed) ? ServiceContext.current.flatMap(payload) : nil
    }

    /// A context that holds strings and nothing else, so that keeping it keeps nothing of an author's alive.
    final class Known: Sendable {
        let context: ServiceContext
        /// The strings, within the limits of a call.
        let payload: Payload

        init(_ context: ServiceContext, _ payload: Payload) {
            self.context = context
            self.payload = payload
        }
    }

    /// Returns the strings that a context holds. The thread remembers the last ones, since a look into a context takes
    /// longer than a whole call.
    static func payload(in context: ServiceContext) -> Payload? {
        if let known = unsafe ThreadContext.current.state.pointee.lastCarried, known.context.isSame(as: context) {
            return known.payload
        }
        return look(into: context)?.payload
    }

    @inline(never)
    private static func look(into context: ServiceContext) -> Carried? {
        let carried = context[Carried.self]
        if let carried, carried.fits, context.count == 1 {
            unsafe ThreadContext.current.state.pointee.lastCarried = Known(context, carried.payload)
        }
        return carried
    }

    /// Whether the running code has set strings.
    package static var isCurrent: Bool {
        if case .some = current { true } else { false }
    }

    /// Calls `body` with the strings that the running code has set, in boundary form; nil if none are set.
    @inline(__always)
    package static func withCurrent<Result>(
        _ body: (UnsafePointer<hslink_value>?) -> Result
    ) -> Result {
        guard let current else { return body(nil) }
        return unsafe current.withUnsafeValue(body)
    }

    /// Puts the strings that a call carries into the task-local context, and runs its method. If they are not what a
    /// call can carry, the call fails: without them, its method would act for someone else.
    @inline(__always)
    static func withValue(of call: UnsafePointer<hslink_call>, _ body: () -> Int32) -> Int32 {
        guard let carried = unsafe call.pointee.carried else { return body() }
        return unsafe bind(carried, of: call, body)
    }

    @inline(never)
    private static func bind(
        _ carried: UnsafePointer<hslink_value>, of call: UnsafePointer<hslink_call>, _ body: () -> Int32
    ) -> Int32 {
        guard let present = ServiceContext.current else {
            guard let known = unsafe ThreadContext.current.state.pointee.lastCarried,
                unsafe known.payload.hasTexts(of: carried.pointee)
            else { return unsafe bindNew(carried, in: .topLevel, of: call, body) }
            return ServiceContext.$current.withValue(known.context) { body() }
        }
        // If caller and callee are in the same image, the context already holds the strings.
        if let known = payload(in: present), unsafe known.hasTexts(of: carried.pointee) { return body() }
        return unsafe bindNew(carried, in: present, of: call, body)
    }

    @inline(never)
    private static func bindNew(
        _ carried: UnsafePointer<hslink_value>, in context: ServiceContext, of call: UnsafePointer<hslink_call>,
        _ body: () -> Int32
    ) -> Int32 {
        var context = context
        do throws(PayloadError) {
            let received = Carried(received: try unsafe Payload(carried: carried.pointee))
            context[Carried.self] = received
            if context.count == 1 {
                unsafe ThreadContext.current.state.pointee.lastCarried = Known(context, received.payload)
            }
        } catch {
            return unsafe MethodReply.fail(call, LinkError(thrown: error))
        }
        return ServiceContext.$current.withValue(context) { body() }
    }
}

extension Payload {
    /// Whether this is the value itself, rather than one that is equal.
    func isSame(as value: hslink_value) -> Bool {
        unsafe node.tag == value.tag && node.length == value.length && node.as.u64 == value.as.u64
    }

    /// Whether a value is a map with the same strings in the same order as this map of strings. The value need not be
    /// valid.
    func hasTexts(of value: hslink_value) -> Bool {
        guard unsafe value.kind == .map, unsafe value.length == node.length else { return false }
        let (own, others) = unsafe (node.entryNodes, value.entryNodes)
        guard own.count == others.count else { return false }
        if unsafe own.baseAddress == others.baseAddress { return true }
        for index in own.indices {
            let (entry, other) = unsafe (own[index], others[index])
            guard unsafe other.hasKey(entry.keyBytes.bindMemory(to: UInt8.self)), unsafe other.value.kind == .string,
                unsafe other.value.length == entry.value.length
            else { return false }
            let (text, otherText) = unsafe (entry.value.textBytes, other.value.textBytes)
            guard text.count == otherText.count else { return false }
            if let start = text.baseAddress, let otherStart = otherText.baseAddress,
                unsafe memcmp(start, otherStart, text.count) != 0
            {
                return false
            }
        }
        return true
    }
}

extension ServiceContext {
    /// Whether both are copies of the same value: their memory is the same. Two that are equal may differ.
    fileprivate func isSame(as other: ServiceContext) -> Bool {
        guard MemoryLayout<ServiceContext>.size == MemoryLayout<UInt>.size else { return false }
        return unsafe unsafeBitCast(self, to: UInt.self) == unsafeBitCast(other, to: UInt.self)
    }
}

extension Payload {
    /// Copies the strings that a call carries: a map of strings within the limits of the boundary.
    ///
    /// - Throws: `PayloadError` if the value is not a map of strings, or exceeds the limits.
    package init(carried node: hslink_value) throws(PayloadError) {
        try unsafe Payload.checkCarried(node)
        try unsafe self.init(copying: node, limits: .standard)
    }

    /// Checks the strings that a call carries: a map of strings within the limits of the boundary.
    ///
    /// - Throws: `PayloadError` if the value is not a map of strings in UTF-8, or exceeds the limits.
    package static func checkCarried(_ node: hslink_value) throws(PayloadError) {
        guard unsafe node.kind == .map else {
            throw PayloadError(expected: "a map of carried strings", found: unsafe node.summary)
        }
        let count = unsafe Int(node.length)
        guard count <= HSLINK_CARRIED_ENTRIES else {
            throw PayloadError(expected: "at most \(HSLINK_CARRIED_ENTRIES) carried strings", found: "\(count)")
        }
        guard unsafe count == 0 || node.`as`.entries != nil else {
            throw PayloadError(expected: "\(count) items", found: "a null pointer")
        }
        var byteCount = 0
        for index in 0..<count {
            let entry = unsafe node.entryNodes[index]
            guard unsafe entry.value.kind == .string else {
                throw PayloadError(expected: "carried strings", found: unsafe entry.value.kind.description)
            }
            byteCount += unsafe Int(entry.key_length) + Int(entry.value.length)
            guard byteCount <= HSLINK_CARRIED_BYTES else { break }
            guard unsafe entry.key_length == 0 || entry.key != nil,
                unsafe entry.value.length == 0 || entry.value.`as`.utf8 != nil
            else { throw PayloadError(expected: "carried strings", found: "a null pointer") }
            guard unsafe entry.keyBytes.bindMemory(to: UInt8.self).isValidUTF8,
                unsafe entry.value.textBytes.isValidUTF8
            else {
                throw PayloadError(expected: "carried strings in UTF-8", found: "invalid bytes")
            }
        }
        guard byteCount <= HSLINK_CARRIED_BYTES else {
            throw PayloadError(
                expected: "at most \(HSLINK_CARRIED_BYTES) bytes of carried strings", found: "\(byteCount)")
        }
        // The code that reads a key twice would disagree with the code that checks it once.
        if let index = unsafe KeyTable.firstRepeated(count: count, key: { unsafe node.entryNodes[$0].keyBytes }) {
            throw PayloadError(
                expected: "unique keys of carried strings",
                found: unsafe "\(node.entryNodes[index].keyText.quoted()) twice")
        }
    }
}
