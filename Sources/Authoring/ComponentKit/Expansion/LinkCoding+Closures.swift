// The closures are declared @concurrent, because the compiler (6.3) crashes on closures with a parameter pack that run
// on their caller's executor. It converts between the two implicitly.
//
// Arguments always travel as a list, whatever their number. Closures with and without a result need separate functions,
// since `Void` cannot conform to protocols. Both also exist for optional closures.
extension __LinkCoding {
    /// Returns a reference to a closure. The receiver may call it from any thread, even after the call that it was
    /// passed in has ended. Once its owner has stopped, it throws ``LinkError/Code/stopped``.
    ///
    /// - Parameters:
    ///   - body: the closure. Its errors are thrown to its caller, and its task is cancelled when the call is.
    ///   - source: the component or host that owns the closure.
    /// - Throws: `LinkError` with code ``LinkError/Code/methodFailed`` if the source has no link.
    public static func closure<each Argument: PayloadConvertible & Sendable, Value: PayloadConvertible & Sendable>(
        _ body: @escaping @concurrent @Sendable (repeat each Argument) async throws -> Value,
        for source: borrowing some __LinkSource & ~Copyable
    ) throws(LinkError) -> Payload {
        try source.requireLink(for: "a closure").asyncClosure { payload in
            var arguments = try ClosureArguments(payload, (repeat (each Argument).self))
            return try await body(repeat try arguments.next((each Argument).self))
        }
    }

    /// Returns a reference to a closure without a result, which answers null.
    public static func closure<each Argument: PayloadConvertible & Sendable>(
        _ body: @escaping @concurrent @Sendable (repeat each Argument) async throws -> Void,
        for source: borrowing some __LinkSource & ~Copyable
    ) throws(LinkError) -> Payload {
        try source.requireLink(for: "a closure").asyncClosure { payload in
            var arguments = try ClosureArguments(payload, (repeat (each Argument).self))
            try await body(repeat try arguments.next((each Argument).self))
            return Payload.null
        }
    }

    /// Returns a reference to an optional closure. Nil travels as null.
    public static func closure<each Argument: PayloadConvertible & Sendable, Value: PayloadConvertible & Sendable>(
        _ body: (@concurrent @Sendable (repeat each Argument) async throws -> Value)?,
        for source: borrowing some __LinkSource & ~Copyable
    ) throws(LinkError) -> Payload {
        guard let body else { return .null }
        return try closure(body, for: source)
    }

    /// Returns a reference to an optional closure without a result. Nil travels as null.
    public static func closure<each Argument: PayloadConvertible & Sendable>(
        _ body: (@concurrent @Sendable (repeat each Argument) async throws -> Void)?,
        for source: borrowing some __LinkSource & ~Copyable
    ) throws(LinkError) -> Payload {
        guard let body else { return .null }
        return try closure(body, for: source)
    }

    /// Returns the closure for `key`. Calling it suspends until the other side has answered; cancelling the task
    /// cancels the call. It throws the model that the other side threw, or a ``LinkError`` with the reason for the
    /// failure: ``LinkError/Code/payloadMismatch`` if the number or types of the arguments, or the type of the result,
    /// differ.
    ///
    /// - Throws: `PayloadError` if the key is missing or its value is not an object.
    public static func closure<each Argument: PayloadConvertible & Sendable, Value: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable
    ) throws(PayloadError) -> @concurrent @Sendable (repeat each Argument) async throws -> Value {
        typed(try ClosureReference(key, in: reading))
    }

    /// Returns the closure for `key`, which has no result; its answer is ignored.
    public static func closure<each Argument: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable
    ) throws(PayloadError) -> @concurrent @Sendable (repeat each Argument) async throws -> Void {
        typed(try ClosureReference(key, in: reading))
    }

    /// Returns the closure for `key`; nil if the key is missing or null.
    public static func closure<each Argument: PayloadConvertible & Sendable, Value: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable
    ) throws(PayloadError) -> (@concurrent @Sendable (repeat each Argument) async throws -> Value)? {
        guard let reference = try ClosureReference(ifPresent: key, in: reading) else { return nil }
        return typed(reference)
    }

    /// Returns the closure for `key`, which has no result; nil if the key is missing or null.
    public static func closure<each Argument: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable
    ) throws(PayloadError) -> (@concurrent @Sendable (repeat each Argument) async throws -> Void)? {
        guard let reference = try ClosureReference(ifPresent: key, in: reading) else { return nil }
        return typed(reference)
    }

    private static func typed<each Argument: PayloadConvertible & Sendable, Value: PayloadConvertible & Sendable>(
        _ reference: ClosureReference
    ) -> @concurrent @Sendable (repeat each Argument) async throws -> Value {
        { (argument: repeat each Argument) async throws -> Value in
            var arguments: [Payload] = []
            repeat arguments.append((each argument).payload)
            return try await reference.call(arguments)
        }
    }

    private static func typed<each Argument: PayloadConvertible & Sendable>(
        _ reference: ClosureReference
    ) -> @concurrent @Sendable (repeat each Argument) async throws -> Void {
        { (argument: repeat each Argument) async throws -> Void in
            var arguments: [Payload] = []
            repeat arguments.append((each argument).payload)
            let _: Payload = try await reference.call(arguments)
        }
    }
}

/// A reference to a closure that the other side owns.
private struct ClosureReference: Sendable {
    private let object: LinkObject

    /// - Throws: `PayloadError` if the key is missing or its value is not an object.
    init(_ key: String, in reading: borrowing some PayloadReading & ~Copyable) throws(PayloadError) {
        object = try reading.require(key, "closure") { view throws(PayloadError) in
            try ClosureReference.object(of: view)
        }
    }

    /// Creates a reference; nil if the key is missing or null.
    ///
    /// - Throws: `PayloadError` if the key has any other value that is not an object.
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
            throw LinkError(
                .payloadMismatch, message: "the closure's result is invalid: \(error)", className: object.className)
        }
    }
}
