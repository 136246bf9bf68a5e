public import CHSLink

/// A row of a link class's method table: a selector and its implementation.
@safe
public struct LinkMethod<Target: AnyObject & Sendable>: Sendable {
    /// The method as the boundary calls it: instance, payload, call → status.
    @usableFromInline
    typealias Body =
        @Sendable (
            UnsafeMutablePointer<hslink_object>?, UnsafePointer<hslink_value>, UnsafePointer<hslink_call>
        ) -> Int32

    /// The selector's name.
    public let name: String
    /// Whether the method is called on an instance or on the class.
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

    /// Returns an instance method as the boundary calls it, for classes whose methods are known only at run time.
    ///
    /// - Parameters:
    ///   - name: The selector.
    ///   - quick: Whether it never blocks, so asynchronous callers may run it on their own thread.
    ///   - body: Receives the borrowed payload. An error that it throws becomes the error of the call.
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

    /// The flags of methods that start on the caller's thread and reply later.
    @usableFromInline
    static var asyncFlags: UInt32 { UInt32(HSLINK_METHOD_QUICK | HSLINK_METHOD_ASYNC) }
}

extension LinkMethod {
    /// Returns an instance method that answers before it returns.
    ///
    /// - Parameters:
    ///   - name: The selector.
    ///   - quick: Whether it never blocks and takes microseconds. Hosts then run it on the caller's thread, even for
    ///     callers that await it or set a deadline.
    ///   - body: Receives the instance and the payload. An error that it throws becomes the error of the call.
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

    /// Returns an instance method that answers before it returns and reads the context of its call.
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

    /// Returns an instance method without a result; the caller gets null.
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

    /// Returns a class method that answers before it returns.
    @inlinable
    public static func classMethod<Value: PayloadConvertible>(
        _ name: String, quick: Bool = false,
        _ body: @escaping @Sendable (borrowing PayloadView) throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .class, flags: flags(quick: quick)) { _, payload, call in
            unsafe MethodReply.answer(call) { try unsafe body(PayloadView(unsafeBorrowing: payload)).payload }
        }
    }

    /// Returns a class method that answers before it returns and reads the context of its call.
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

    /// Returns an asynchronous instance method. It starts on the caller's thread, even if that belongs to Swift's
    /// cooperative thread pool, so it must not block. It answers when it returns. If the call is cancelled or its
    /// deadline passes, the method's task is cancelled.
    ///
    /// - Parameters:
    ///   - name: The selector.
    ///   - body: Receives the instance and a copy of the payload. An error that it throws becomes the error of the
    ///     call.
    @inlinable
    public static func asyncMethod<Value: PayloadConvertible>(
        _ name: String,
        _ body: nonisolated(nonsending) @escaping @Sendable (Target, Payload) async throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .object, flags: asyncFlags) { object, payload, call in
            unsafe withTarget(of: object, call) { target in
                unsafe MethodReply.answerLater(call, object: object, payload: payload) {
                    try await body(target, $0).payload
                }
            }
        }
    }

    /// Returns an asynchronous instance method that reads the context of its call; otherwise like `asyncMethod(_:_:)`.
    @inlinable
    public static func asyncMethod<Value: PayloadConvertible>(
        _ name: String,
        _ body: nonisolated(nonsending) @escaping @Sendable (Target, Payload, AsyncCallContext) async throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .object, flags: asyncFlags) { object, payload, call in
            unsafe withTarget(of: object, call) { target in
                let context = unsafe AsyncCallContext(call, object)
                return unsafe MethodReply.answerLater(call, object: object, payload: payload) {
                    try await body(target, $0, context).payload
                }
            }
        }
    }

    /// Returns an asynchronous class method that reads the context of its call; otherwise like `asyncMethod(_:_:)`.
    @inlinable
    public static func asyncClassMethod<Value: PayloadConvertible>(
        _ name: String,
        _ body: nonisolated(nonsending) @escaping @Sendable (Payload, AsyncCallContext) async throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .class, flags: asyncFlags) { object, payload, call in
            let context = unsafe AsyncCallContext(call, object)
            return unsafe MethodReply.answerLater(call, object: object, payload: payload) {
                try await body($0, context).payload
            }
        }
    }

    /// Returns an asynchronous class method; otherwise like `asyncMethod(_:_:)`.
    @inlinable
    public static func asyncClassMethod<Value: PayloadConvertible>(
        _ name: String,
        _ body: nonisolated(nonsending) @escaping @Sendable (Payload) async throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .class, flags: asyncFlags) { object, payload, call in
            unsafe MethodReply.answerLater(call, object: object, payload: payload) { try await body($0).payload }
        }
    }

    /// Returns an instance method that runs on the main thread. A blocking call to it from the main thread fails with
    /// ``LinkError/Code/wouldDeadlock``.
    @inlinable
    public static func mainActorMethod<Value: PayloadConvertible & Sendable>(
        _ name: String,
        _ body: @escaping @MainActor @Sendable (Target, Payload) async throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .object, flags: UInt32(HSLINK_METHOD_MAIN)) { object, payload, call in
            unsafe withTarget(of: object, call) { target in
                unsafe MethodReply.answerOnMain(call, object: object, payload: payload) {
                    try await body(target, $0).payload
                }
            }
        }
    }

    /// Returns an instance method that runs on the main thread and reads the context of its call; otherwise like
    /// `mainActorMethod(_:_:)`.
    @inlinable
    public static func mainActorMethod<Value: PayloadConvertible & Sendable>(
        _ name: String,
        _ body: @escaping @MainActor @Sendable (Target, Payload, AsyncCallContext) async throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .object, flags: UInt32(HSLINK_METHOD_MAIN)) { object, payload, call in
            unsafe withTarget(of: object, call) { target in
                let context = unsafe AsyncCallContext(call, object)
                return unsafe MethodReply.answerOnMain(call, object: object, payload: payload) {
                    try await body(target, $0, context).payload
                }
            }
        }
    }

    /// Returns a class method that runs on the main thread and reads the context of its call; otherwise like
    /// `mainActorMethod(_:_:)`.
    @inlinable
    public static func mainActorClassMethod<Value: PayloadConvertible & Sendable>(
        _ name: String,
        _ body: @escaping @MainActor @Sendable (Payload, AsyncCallContext) async throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .class, flags: UInt32(HSLINK_METHOD_MAIN)) { object, payload, call in
            let context = unsafe AsyncCallContext(call, object)
            return unsafe MethodReply.answerOnMain(call, object: object, payload: payload) {
                try await body($0, context).payload
            }
        }
    }

    /// Returns an instance method that keeps the reply, and may answer at any later time from any thread.
    ///
    /// - Parameters:
    ///   - name: The selector.
    ///   - body: Receives the instance, the payload (copy it to use it after returning) and the reply. If the last
    ///     reference to the reply is released before it is answered, the call fails with
    ///     ``LinkError/Code/replyDropped``.
    @inlinable
    public static func deferredMethod(
        _ name: String,
        _ body: @escaping @Sendable (Target, borrowing PayloadView, Reply) throws -> Void
    ) -> LinkMethod {
        unsafe LinkMethod(name, .object) { object, payload, call in
            unsafe withTarget(of: object, call) { target in
                unsafe MethodReply.deferAnswer(call) {
                    try unsafe body(target, PayloadView(unsafeBorrowing: payload), $0)
                }
            }
        }
    }

    /// Calls `body` with the Swift instance behind a boundary object, without changing its reference count.
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
