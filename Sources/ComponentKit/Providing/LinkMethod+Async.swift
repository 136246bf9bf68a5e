public import CHSLink

extension LinkMethod {
    /// An asynchronous method of an instance. It begins on the caller's thread, also where that belongs to
    /// Swift's pool, so it must not block, and answers when it ends; when the call is cancelled or runs out of
    /// time, its task is cancelled.
    ///
    /// - Parameters:
    ///   - name: the selector.
    ///   - body: is given the instance and a copy of the payload. What it throws becomes the call's error.
    @inlinable
    public static func asyncMethod<Value: PayloadConvertible>(
        _ name: String,
        _ body: nonisolated(nonsending) @escaping @Sendable (Target, Payload) async throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .object, flags: asyncFlags) { object, payload, call in
            unsafe withTarget(of: object, call) { target in
                unsafe MethodReply.answerLater(call, object, payload) { try await body(target, $0).payload }
            }
        }
    }

    /// An asynchronous method of an instance that asks about its call; otherwise like `asyncMethod(_:_:)`.
    @inlinable
    public static func asyncMethod<Value: PayloadConvertible>(
        _ name: String,
        _ body: nonisolated(nonsending) @escaping @Sendable (Target, Payload, AsyncCallContext) async throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .object, flags: asyncFlags) { object, payload, call in
            unsafe withTarget(of: object, call) { target in
                let context = unsafe AsyncCallContext(call, object)
                return unsafe MethodReply.answerLater(call, object, payload) {
                    try await body(target, $0, context).payload
                }
            }
        }
    }

    /// An asynchronous method of the class that asks about its call; otherwise like `asyncMethod(_:_:)`.
    @inlinable
    public static func asyncClassMethod<Value: PayloadConvertible>(
        _ name: String,
        _ body: nonisolated(nonsending) @escaping @Sendable (Payload, AsyncCallContext) async throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .class, flags: asyncFlags) { object, payload, call in
            let context = unsafe AsyncCallContext(call, object)
            return unsafe MethodReply.answerLater(call, object, payload) { try await body($0, context).payload }
        }
    }

    /// An asynchronous method of the class; in everything else like `asyncMethod(_:_:)`.
    @inlinable
    public static func asyncClassMethod<Value: PayloadConvertible>(
        _ name: String,
        _ body: nonisolated(nonsending) @escaping @Sendable (Payload) async throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .class, flags: asyncFlags) { object, payload, call in
            unsafe MethodReply.answerLater(call, object, payload) { try await body($0).payload }
        }
    }

    /// A method of an instance that does its work on the main thread. Nobody on the main thread may wait
    /// for it with a blocking call: that fails with ``LinkError/Code/wouldDeadlock``.
    @inlinable
    public static func mainActorMethod<Value: PayloadConvertible & Sendable>(
        _ name: String,
        _ body: @escaping @MainActor @Sendable (Target, Payload) async throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .object, flags: UInt32(HSLINK_METHOD_MAIN)) { object, payload, call in
            unsafe withTarget(of: object, call) { target in
                unsafe MethodReply.answerOnMain(call, object, payload) { try await body(target, $0).payload }
            }
        }
    }

    /// A method of an instance that works on the main thread and asks about its call; otherwise like
    /// `mainActorMethod(_:_:)`.
    @inlinable
    public static func mainActorMethod<Value: PayloadConvertible & Sendable>(
        _ name: String,
        _ body: @escaping @MainActor @Sendable (Target, Payload, AsyncCallContext) async throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .object, flags: UInt32(HSLINK_METHOD_MAIN)) { object, payload, call in
            unsafe withTarget(of: object, call) { target in
                let context = unsafe AsyncCallContext(call, object)
                return unsafe MethodReply.answerOnMain(call, object, payload) {
                    try await body(target, $0, context).payload
                }
            }
        }
    }

    /// A method of the class that works on the main thread and asks about its call; otherwise like
    /// `mainActorMethod(_:_:)`.
    @inlinable
    public static func mainActorClassMethod<Value: PayloadConvertible & Sendable>(
        _ name: String,
        _ body: @escaping @MainActor @Sendable (Payload, AsyncCallContext) async throws -> Value
    ) -> LinkMethod {
        unsafe LinkMethod(name, .class, flags: UInt32(HSLINK_METHOD_MAIN)) { object, payload, call in
            let context = unsafe AsyncCallContext(call, object)
            return unsafe MethodReply.answerOnMain(call, object, payload) { try await body($0, context).payload }
        }
    }

    /// A method of an instance that keeps the reply and answers when it likes, from any thread.
    ///
    /// - Parameters:
    ///   - name: the selector.
    ///   - body: is given the instance, the payload (to be copied where it is needed later) and the reply; when
    ///     the last reference to the reply goes unanswered, the call fails with
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
