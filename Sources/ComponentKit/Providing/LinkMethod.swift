public import CHSLink

/// One row of a link class's table: a selector and the code behind it.
@safe
public struct LinkMethod<Target: AnyObject & Sendable>: Sendable {
    /// The method in the form of the boundary: instance, payload, call → status.
    @usableFromInline
    typealias Body =
        @Sendable (
            UnsafeMutablePointer<hslink_object>?, UnsafePointer<hslink_value>, UnsafePointer<hslink_call>
        ) -> Int32

    /// The selector's name.
    public let name: String
    /// Whether it is called on an instance or on the class.
    public let kind: SelectorKind
    let flags: UInt32
    let body: Body

    @usableFromInline
    init(_ name: String, _ kind: SelectorKind, flags: UInt32 = 0, body: @escaping Body) {
        self.name = name
        self.kind = kind
        self.flags = flags
        unsafe self.body = unsafe body
    }

    /// A method of an instance in the form of the boundary, for classes whose methods are known at run time only.
    ///
    /// - Parameters:
    ///   - name: the selector.
    ///   - quick: it never blocks, so asynchronous callers may run it in place.
    ///   - body: is given the payload, borrowed. What it throws becomes the call's error.
    package static func boundaryMethod(
        _ name: String, quick: Bool,
        _ body: @escaping @Sendable (UnsafePointer<hslink_value>) throws(LinkError) -> Payload
    ) -> LinkMethod {
        unsafe LinkMethod(name, .object, flags: flags(quick: quick)) { _, payload, call in
            do throws(LinkError) {
                let value = unsafe try body(payload)
                return unsafe value.withUnsafeValue { unsafe MethodReply.complete(call, $0) }
            } catch {
                return unsafe MethodReply.fail(call, error)
            }
        }
    }

    @usableFromInline
    static func flags(quick: Bool) -> UInt32 { quick ? UInt32(HSLINK_METHOD_QUICK) : 0 }

    /// Those of methods that begin in place and reply later.
    @usableFromInline
    static var asyncFlags: UInt32 { UInt32(HSLINK_METHOD_QUICK | HSLINK_METHOD_ASYNC) }
}

extension LinkMethod {
    /// A method of an instance that answers before it returns.
    ///
    /// - Parameters:
    ///   - name: the selector.
    ///   - quick: it never blocks and takes microseconds, so that every caller runs it in place, also one that awaits it or
    ///     has a deadline.
    ///   - body: is given the instance and the payload. What it throws becomes the call's error.
    @inlinable
    public static func method<Value: PayloadConvertible>(
        _ name: String, quick: Bool = false,
        _ body: @escaping @Sendable (Target, borrowing PayloadView) throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .object, flags: flags(quick: quick)) { object, payload, call in
            unsafe withTarget(of: object, call) { target in
                unsafe MethodReply.answer(call) {
                    try unsafe body(target, PayloadView(unsafeBorrowing: payload)).payload
                }
            }
        }
    }

    /// A method of an instance that answers before it returns, and asks about its call.
    @inlinable
    public static func method<Value: PayloadConvertible>(
        _ name: String, quick: Bool = false,
        _ body: @escaping @Sendable (Target, borrowing PayloadView, borrowing CallContext) throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .object, flags: flags(quick: quick)) { object, payload, call in
            unsafe withTarget(of: object, call) { target in
                unsafe MethodReply.answer(call) {
                    try unsafe body(target, PayloadView(unsafeBorrowing: payload), CallContext(call, object)).payload
                }
            }
        }
    }

    /// A method of an instance that returns nothing; the caller gets null.
    @inlinable
    public static func method(
        _ name: String, quick: Bool = false,
        _ body: @escaping @Sendable (Target, borrowing PayloadView) throws -> Void
    ) -> LinkMethod {
        method(name, quick: quick) { target, payload -> Payload in
            try body(target, payload)
            return .null
        }
    }

    /// A method of the class that answers before it returns.
    @inlinable
    public static func classMethod<Value: PayloadConvertible>(
        _ name: String, quick: Bool = false,
        _ body: @escaping @Sendable (borrowing PayloadView) throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .class, flags: flags(quick: quick)) { _, payload, call in
            unsafe MethodReply.answer(call) { try unsafe body(PayloadView(unsafeBorrowing: payload)).payload }
        }
    }

    /// A method of the class that answers before it returns, and asks about its call.
    @inlinable
    public static func classMethod<Value: PayloadConvertible>(
        _ name: String, quick: Bool = false,
        _ body: @escaping @Sendable (borrowing PayloadView, borrowing CallContext) throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .class, flags: flags(quick: quick)) { _, payload, call in
            unsafe MethodReply.answer(call) {
                try unsafe body(PayloadView(unsafeBorrowing: payload), CallContext(call)).payload
            }
        }
    }

    /// Lends the Swift instance behind a boundary object, without touching its reference count.
    @inlinable
    static func withTarget(
        of object: UnsafeMutablePointer<hslink_object>?, _ call: UnsafePointer<hslink_call>,
        _ body: (Target) -> Int32
    ) -> Int32 {
        guard let object = unsafe object else { return unsafe MethodReply.failWithoutInstance(call) }
        let record = unsafe UnsafeRawPointer(object).assumingMemoryBound(to: ObjectRecord.self)
        return unsafe Unmanaged<Target>.fromOpaque(record.pointee.target)._withUnsafeGuaranteedRef(body)
    }
}
