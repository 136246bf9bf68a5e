public import CHSLink

extension LinkMethod {
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
}
