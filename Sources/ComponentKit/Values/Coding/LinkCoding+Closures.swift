// Written out as @concurrent, since the compiler (6.3) crashes over closures with a parameter pack that run on their
// caller's executor; it converts between the two by itself.
//
// Arguments travel as a list, whatever their number. There is a form for closures with a result and one for those
// without, since `Void` cannot conform to anything, and each of the two for optional closures.
extension LinkCoding {
    /// A reference to a closure, which whoever receives it may call from any thread, also after the call that it
    /// was passed in. After its component was stopped it throws ``LinkError/Code/stopped``.
    ///
    /// - Parameters:
    ///   - body: what it throws is thrown by who called it. Its task is cancelled when the call is.
    ///   - source: whose closure it is.
    /// - Throws: when the source has no link.
    public static func closure<each Argument: PayloadConvertible & Sendable, Value: PayloadConvertible & Sendable>(
        _ body: @escaping @concurrent @Sendable (repeat each Argument) async throws -> Value,
        for source: borrowing some LinkSource & ~Copyable
    ) throws(LinkError) -> Payload {
        try source.requireLink(for: "a closure").asyncClosure { payload in
            var arguments = try ClosureArguments(payload, (repeat (each Argument).self))
            return try await body(repeat try arguments.next((each Argument).self))
        }
    }

    /// The same for a closure without a result, which answers null.
    public static func closure<each Argument: PayloadConvertible & Sendable>(
        _ body: @escaping @concurrent @Sendable (repeat each Argument) async throws -> Void,
        for source: borrowing some LinkSource & ~Copyable
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
        for source: borrowing some LinkSource & ~Copyable
    ) throws(LinkError) -> Payload {
        guard let body else { return .null }
        return try closure(body, for: source)
    }

    /// The same for a closure without a result that may be nil.
    public static func closure<each Argument: PayloadConvertible & Sendable>(
        _ body: (@concurrent @Sendable (repeat each Argument) async throws -> Void)?,
        for source: borrowing some LinkSource & ~Copyable
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

    /// The closure of `key` without a result; what it answers is not looked at.
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
