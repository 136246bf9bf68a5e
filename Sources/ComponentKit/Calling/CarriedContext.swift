package import CHSLink
public import Instrumentation
import Synchronization

extension ServiceContext {
    /// Texts that calls carry along: a tenant, a session, the `traceparent` of a trace.
    ///
    ///     var context = ServiceContext.current ?? .topLevel
    ///     context.carried["tenant"] = "acme"
    ///     let answer = try await ServiceContext.withValue(context) { try await host.call("OrderLink", "open") }
    ///
    /// The method finds them in its own `ServiceContext.current`, whatever component it belongs to, and so do the
    /// methods that it calls, over threads and tasks; a component in C finds them in its call. Nothing set costs
    /// nothing.
    ///
    /// At most 64 texts of 8,192 bytes in all (keys and values); a call with more is answered
    /// ``LinkError/Code/payloadMismatch``. An empty dictionary carries nothing, also where the caller carried
    /// something.
    public var carried: [String: String] {
        get { self[Carried.self]?.texts ?? [:] }
        set { self[Carried.self] = Carried(newValue) }
    }
}

/// What a call carries along, in the form of the boundary.
package struct Carried: ServiceContextKey, Sendable {
    package typealias Value = Carried

    /// A map of texts.
    package let payload: Payload
    /// What makes it more than calls carry.
    private let excess: PayloadError?

    /// Whether a call can carry it.
    package var fits: Bool { excess == nil }

    /// Whether anything was ever carried in this image: until then calls do not check.
    private static let isUsed = Atomic<Bool>(false)

    /// Whether a call has to check what the running code carries along.
    @inline(__always)
    package static var isInUse: Bool { isUsed.load(ordering: .relaxed) }

    package init(_ texts: [String: String]) {
        Carried.isUsed.store(true, ordering: .relaxed)
        let payload = Payload(entries: texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        self.payload = payload
        excess = Carried.excess(of: payload)
    }

    private static func excess(of payload: Payload) -> PayloadError? {
        do throws(PayloadError) {
            _ = try unsafe payload.withUnsafeValue { value throws(PayloadError) in
                try unsafe Payload(carried: value.pointee)
            }
            return nil
        } catch {
            return error
        }
    }

    /// - Parameter payload: a map of texts.
    package init(known payload: Payload) {
        self.payload = payload
        excess = nil
    }

    /// What the current call carries along.
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

    /// What calls of the running code carry along; nil for nothing, or for what the thread's own call does. A failure
    /// where that is more than calls carry.
    @inline(never)
    package static var ofRunningCode: Result<Payload?, LinkError> {
        guard isInUse, let carried = ServiceContext.current?[Carried.self] else { return .success(nil) }
        return carried.excess.map { .failure(LinkError(thrown: $0)) } ?? .success(carried.payload)
    }

    /// The same, unchecked.
    @inline(__always)
    package static var current: Payload? {
        isUsed.load(ordering: .relaxed) ? ServiceContext.current?[Carried.self]?.payload : nil
    }

    /// Calls `body` with what the running code carries along, in the form of the boundary.
    @inline(__always)
    package static func withCurrent<Result>(
        _ body: (UnsafePointer<hslink_value>?) -> Result
    ) -> Result {
        guard let current else { return body(nil) }
        return unsafe current.withUnsafeValue(body)
    }

    /// Runs a method with what its call carries along in the task-local context.
    @inline(__always)
    static func withValue(of call: UnsafePointer<hslink_call>, _ body: () -> Int32) -> Int32 {
        guard let carried = unsafe call.pointee.carried else { return body() }
        return unsafe bind(carried, body)
    }

    @inline(never)
    private static func bind(_ carried: UnsafePointer<hslink_value>, _ body: () -> Int32) -> Int32 {
        var context = ServiceContext.current ?? .topLevel
        // The caller's own, where both are in one image.
        if let present = context[Carried.self]?.payload, unsafe present.isSame(as: carried.pointee) { return body() }
        guard let payload = try? unsafe Payload(copying: carried.pointee, limits: .standard) else { return body() }
        context[Carried.self] = Carried(received: payload)
        return ServiceContext.withValue(context) { body() }
    }
}

extension Payload {
    fileprivate func isSame(as value: hslink_value) -> Bool {
        unsafe node.tag == value.tag && node.length == value.length && node.as.u64 == value.as.u64
    }
}

extension Payload {
    /// A copy of what a call carries along: a map of texts, within the limits of the boundary.
    ///
    /// - Throws: what is wrong with it; the error names the key.
    package init(carried node: hslink_value) throws(PayloadError) {
        guard unsafe node.kind == .map else {
            throw PayloadError(expected: "a map of texts to carry along", found: unsafe node.summary)
        }
        let count = unsafe Int(node.length)
        guard count <= HSLINK_CARRIED_ENTRIES else {
            throw PayloadError(expected: "at most \(HSLINK_CARRIED_ENTRIES) texts to carry along", found: "\(count)")
        }
        guard unsafe count == 0 || node.`as`.entries != nil else {
            throw PayloadError(expected: "\(count) items", found: "a null pointer")
        }
        var byteCount = 0
        for index in 0..<count {
            let entry = unsafe node.entryNodes[index]
            guard unsafe entry.value.kind == .string else {
                throw PayloadError(expected: "texts to carry along", found: unsafe entry.value.kind.description)
            }
            byteCount += unsafe Int(entry.key_length) + Int(entry.value.length)
        }
        guard byteCount <= HSLINK_CARRIED_BYTES else {
            throw PayloadError(
                expected: "at most \(HSLINK_CARRIED_BYTES) bytes to carry along", found: "\(byteCount)")
        }
        try unsafe self.init(copying: node, limits: .standard)
    }
}
