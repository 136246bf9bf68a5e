// Written out as @concurrent, since the compiler (6.3) crashes over closures with a parameter pack that run on their
// caller's executor; it converts between the two by itself.
//
// Arguments travel as a list, whatever their number. There is a form for closures with a result and one for those
// without, since `Void` cannot conform to anything, and each of the two for optional closures.
extension __LinkCoding {
    /// A reference to a closure, which the receiver may call from any thread, also after the call that it
    /// was passed in. After its component was stopped it throws ``LinkError/Code/stopped``.
    ///
    /// - Parameters:
    ///   - body: what it throws is thrown to its caller. Its task is cancelled when the call is.
    ///   - source: whose closure it is.
    /// - Throws: when the source has no link.
    public static func closure<each Argument: PayloadConvertible & Sendable, Value: PayloadConvertible & Sendable>(
        _ body: @escaping @concurrent @Sendable (repeat each Argument) async throws -> Value,
        for source: borrowing some __LinkSource & ~Copyable
    ) throws(LinkError) -> Payload {
        try source.requireLink(for: "a closure").asyncClosure { payload in
            var arguments = try ClosureArguments(payload, (repeat (each Argument).self))
            return try await body(repeat try arguments.next((each Argument).self))
        }
    }

    /// The same for a closure without a result, which answers null.
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

    /// The same for a closure that may be nil, which travels as null.
    public static func closure<each Argument: PayloadConvertible & Sendable, Value: PayloadConvertible & Sendable>(
        _ body: (@concurrent @Sendable (repeat each Argument) async throws -> Value)?,
        for source: borrowing some __LinkSource & ~Copyable
    ) throws(LinkError) -> Payload {
        guard let body else { return .null }
        return try closure(body, for: source)
    }

    /// The same for a closure without a result that may be nil.
    public static func closure<each Argument: PayloadConvertible & Sendable>(
        _ body: (@concurrent @Sendable (repeat each Argument) async throws -> Void)?,
        for source: borrowing some __LinkSource & ~Copyable
    ) throws(LinkError) -> Payload {
        guard let body else { return .null }
        return try closure(body, for: source)
    }

    /// The closure of `key`. Calling it suspends until the other side has answered; cancelling the task cancels
    /// the call. It throws a ``LinkError`` saying why it was not performed (``LinkError/Code/payloadMismatch`` when
    /// number or types of the arguments or of the result differ), or the model that the other side threw.
    ///
    /// - Throws: when the key is missing or holds no object.
    public static func closure<each Argument: PayloadConvertible & Sendable, Value: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable
    ) throws(PayloadError) -> @concurrent @Sendable (repeat each Argument) async throws -> Value {
        typed(try ClosureReference(key, in: reading))
    }

    /// The closure of `key` without a result; its answer is ignored.
    public static func closure<each Argument: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable
    ) throws(PayloadError) -> @concurrent @Sendable (repeat each Argument) async throws -> Void {
        typed(try ClosureReference(key, in: reading))
    }

    /// The closure of `key`, nil when the key is missing or null.
    public static func closure<each Argument: PayloadConvertible & Sendable, Value: PayloadConvertible & Sendable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable
    ) throws(PayloadError) -> (@concurrent @Sendable (repeat each Argument) async throws -> Value)? {
        guard let reference = try ClosureReference(ifPresent: key, in: reading) else { return nil }
        return typed(reference)
    }

    /// The closure of `key` without a result, nil when the key is missing or null.
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

/// The arguments of a closure's call, taken one after the other.
private struct ClosureArguments {
    private let payload: Payload
    private var index = 0

    /// - Throws: when there are not as many arguments as types.
    init<each Argument>(_ payload: Payload, _ types: (repeat (each Argument).Type)) throws(PayloadError) {
        var count = 0
        for _ in repeat each types { count += 1 }
        let isList = payload.kind == .array || (payload.isNull && count == 0)
        guard isList, payload.count == count else {
            let found = payload.kind == .array ? "\(payload.count)" : unsafe payload.unsafeNode.kindSummary
            throw PayloadError(expected: "an array of \(count) arguments", found: found)
        }
        self.payload = payload
    }

    /// The next argument.
    ///
    /// - Throws: when it is of another type, with its index.
    mutating func next<Argument: PayloadConvertible>(_ type: Argument.Type) throws(PayloadError) -> Argument {
        defer { index += 1 }
        do {
            return try (payload[index] ?? .null).value()
        } catch {
            throw error.within(.index(index))
        }
    }
}

/// A closure of the other side.
private struct ClosureReference: Sendable {
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
