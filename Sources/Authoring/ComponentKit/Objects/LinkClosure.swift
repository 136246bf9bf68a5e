package import CHSLink

/// A Swift closure that travels as an object: the empty selector calls it.
@safe
final class LinkClosure: Sendable {
    typealias Body = @Sendable (UnsafePointer<hslink_value>, UnsafePointer<hslink_call>) -> Int32

    let body: Body
    init(_ body: @escaping Body) { unsafe self.body = unsafe body }

    /// Written once during initialisation, and read-only afterwards.
    nonisolated(unsafe) static let type = unsafe UnsafePointer(
        constant: hslink_object_type(
            struct_size: UInt32(MemoryLayout<hslink_object_type>.size), reserved: 0,
            name: hslink_string(constant: "closure"), retain: ObjectBox.retain, release: ObjectBox.release,
            invoke: { object, selector, payload, call in
                guard unsafe selector.length == 0 else {
                    let name = unsafe String(name: selector)
                    return unsafe MethodReply.fail(
                        call,
                        LinkError(
                            .selectorNotFound, message: "a closure has only the empty selector",
                            className: "closure", selector: name))
                }
                return unsafe ObjectBox.run(object, call) { target in
                    unsafe Carried.withValue(of: call) {
                        unsafe unsafeDowncast(target, to: LinkClosure.self).body(payload, call)
                    }
                }
            }, get_extension: ObjectBox.getExtension))
}

extension Link {
    /// Returns a closure as a payload value. The receiver calls it with ``LinkObject/callAndWait(_:_:)`` and similar
    /// functions, from any thread, even after the call that it was passed in has ended. Once its owner has stopped,
    /// calls fail with ``LinkError/Code/stopped``.
    ///
    /// - Parameter body: the closure. An error that it throws becomes the caller's error.
    public func closure<Value: PayloadConvertible>(
        _ body: @escaping @Sendable (borrowing PayloadView) throws -> Value
    ) -> Payload {
        unsafe object(
            LinkClosure { payload, call in
                unsafe MethodReply.answer(call) { try unsafe body(PayloadView(unsafeBorrowing: payload)).payload }
            }, type: unsafe LinkClosure.type)
    }

    /// Returns a closure with typed arguments as a payload value; otherwise like ``closure(_:)``.
    ///
    ///     let compare = link.typedClosure { (left: Int, right: Int) in left < right ? -1 : 1 }
    ///     let sorted = try link.callAndWait("LibC", "qsort", ["base": numbers.payload, "compar": compare])
    ///
    /// A parameter of type `@Sendable (Int, Int) async throws -> Int` travels in the same form: the arguments come as
    /// an array, in the order of the parameters.
    ///
    /// - Parameter body: the closure. Its caller gets ``LinkError/Code/payloadMismatch`` if the number or types of the
    ///   arguments differ, or the error that the closure throws.
    public func typedClosure<each Argument: PayloadConvertible, Value: PayloadConvertible>(
        _ body: @escaping @Sendable (repeat each Argument) throws -> Value
    ) -> Payload {
        closure { payload in
            var arguments = try ClosureArguments(try payload.copy(), (repeat (each Argument).self))
            return try body(repeat try arguments.next((each Argument).self))
        }
    }

    /// Returns a closure with typed arguments and without a result, which answers null; otherwise like
    /// ``closure(_:)``.
    ///
    ///     let progress = link.typedClosure { (done: Int, of: Int) in print("\(done) of \(of)") }
    ///
    /// - Parameter body: the closure. Its caller gets ``LinkError/Code/payloadMismatch`` if the number or types of the
    ///   arguments differ, or the error that the closure throws.
    public func typedClosure<each Argument: PayloadConvertible>(
        _ body: @escaping @Sendable (repeat each Argument) throws -> Void
    ) -> Payload {
        closure { payload in
            var arguments = try ClosureArguments(try payload.copy(), (repeat (each Argument).self))
            try body(repeat try arguments.next((each Argument).self))
            return Payload.null
        }
    }

    /// Returns an asynchronous closure as a payload value; otherwise like ``closure(_:)``.
    public func asyncClosure<Value: PayloadConvertible>(
        _ body: @escaping @Sendable (Payload) async throws -> Value
    ) -> Payload {
        unsafe object(
            LinkClosure { [backend] payload, call in
                unsafe MethodReply.answerLater(call, backend: backend, payload: payload) {
                    try await body($0).payload
                }
            }, type: unsafe LinkClosure.type)
    }

    /// Returns an instance of a link class as a payload value, through which its object methods can be called.
    public func object<Target: LinkClass>(_ instance: Target) -> Payload {
        unsafe object(instance, type: ClassTable.of(Target.self).objectType)
    }

    func object(_ target: AnyObject, type: UnsafePointer<hslink_object_type>) -> Payload {
        let pointer = unsafe ObjectBox.make(target, type: type, backend: backend)
        return unsafe Payload(adopting: pointer)
    }
}

extension Payload {
    /// Creates an object value that takes over the caller's reference.
    package init(adopting object: UnsafeMutablePointer<hslink_object>) {
        unsafe self.init(node: hslink_object_value(object), owner: LinkObject(adopting: object))
    }

    /// Creates an object value with a reference of its own.
    public init(_ object: LinkObject) {
        unsafe self.init(node: hslink_object_value(object.pointer), owner: object)
    }
}

/// The arguments of a call to a closure, read one by one.
struct ClosureArguments {
    private let payload: Payload
    private var index = 0

    /// - Throws: `PayloadError` if the number of arguments differs from the number of types.
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

    /// Returns the next argument.
    ///
    /// - Throws: `PayloadError` with the argument's index if the argument is of another type.
    mutating func next<Argument: PayloadConvertible>(_ type: Argument.Type) throws(PayloadError) -> Argument {
        defer { index += 1 }
        do {
            return try (payload[index] ?? .null).value()
        } catch {
            throw error.within(.index(index))
        }
    }
}
