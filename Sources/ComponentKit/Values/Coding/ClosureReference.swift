/// A closure of the other side.
struct ClosureReference: Sendable {
    private let object: LinkObject

    /// - Throws: when the key is missing or holds no object.
    init(_ key: String, in reading: borrowing some PayloadReading & ~Copyable) throws(PayloadError) {
        object = try reading.require(key, "closure") { view throws(PayloadError) in
            try ClosureReference.object(of: view)
        }
    }

    /// Nil when the key is missing or null.
    ///
    /// - Throws: when the key holds anything else than an object.
    init?(ifPresent key: String, in reading: borrowing some PayloadReading & ~Copyable) throws(PayloadError) {
        let found = try reading.ifPresent(key) { view throws(PayloadError) -> LinkObject? in
            view.isNull ? nil : try ClosureReference.object(of: view)
        }
        guard let found, let object = found else { return nil }
        self.object = object
    }

    private static func object(of view: borrowing PayloadView) throws(PayloadError) -> LinkObject {
        guard view.kind == .object else {
            throw unsafe PayloadError(expected: "closure", found: view.unsafeNode.kindSummary)
        }
        return try LinkObject(payload: view)
    }

    /// Calls the closure and suspends until it has answered.
    func call<Value: PayloadConvertible>(_ arguments: [Payload]) async throws -> Value {
        let reply: Payload
        do {
            reply = try await object.call("", Payload(arguments))
        } catch {
            throw error.originalOrSelf
        }
        do {
            return try reply.value()
        } catch {
            throw LinkError(.payloadMismatch, message: "the closure's result: \(error)", className: object.className)
        }
    }
}
