public import CHSLink

/// Runs method bodies for the rows of a method table, and answers their calls.
@usableFromInline
enum MethodReply {
    @inlinable @inline(__always)
    static func answer(_ call: UnsafePointer<hslink_call>, _ body: () throws -> Payload) -> Int32 {
        do {
            let value = try body()
            return unsafe value.withUnsafeValue { unsafe complete(call, $0) }
        } catch {
            return unsafe fail(call, error)
        }
    }

    @inlinable @inline(__always)
    static func complete(_ call: UnsafePointer<hslink_call>, _ value: UnsafePointer<hslink_value>) -> Int32 {
        _ = unsafe call.pointee.reply.ops.pointee.complete(
            call.pointee.reply.slot, call.pointee.reply.token, value, nil)
        return Int32(HSLINK_REPLIED)
    }

    @usableFromInline
    static func fail(_ call: UnsafePointer<hslink_call>, _ error: any Error) -> Int32 {
        unsafe Reply.complete(call.pointee.reply, with: LinkError(thrown: error))
        return Int32(HSLINK_REPLIED)
    }

    /// Fails a call to an object method without an instance, which only a broken host makes.
    @usableFromInline
    static func failWithoutInstance(_ call: UnsafePointer<hslink_call>) -> Int32 {
        unsafe fail(call, LinkError(.selectorNotFound, message: "an object method was called without an instance"))
    }

    /// Runs a method on the main thread. Fails the call if its caller blocks the main thread until the reply arrives.
    @usableFromInline
    static func answerOnMain(
        _ call: UnsafePointer<hslink_call>, object: UnsafeMutablePointer<hslink_object>?,
        payload: UnsafePointer<hslink_value>,
        body: nonisolated(nonsending) @escaping @Sendable (Payload) async throws -> Payload
    ) -> Int32 {
        if unsafe call.pointee.flags & UInt32(HSLINK_CALL_WAITS) != 0, MainThread.isCurrent {
            return unsafe fail(
                call,
                LinkError(
                    .wouldDeadlock,
                    message: "the method runs on the main thread, which would wait for itself; use the callback or the "
                        + "asynchronous form"))
        }
        return unsafe answerLater(call, object: object, payload: payload, body: body)
    }

    /// - Parameter object: The instance that is called; nil in calls on the class.
    @usableFromInline
    static func answerLater(
        _ call: UnsafePointer<hslink_call>, object: UnsafeMutablePointer<hslink_object>?,
        payload: UnsafePointer<hslink_value>,
        body: nonisolated(nonsending) @escaping @Sendable (Payload) async throws -> Payload
    ) -> Int32 {
        if let component = unsafe call.pointee.component {
            let context = unsafe Unmanaged<ComponentContext>.fromOpaque(component).takeUnretainedValue()
            return unsafe answerLater(call, backend: context.link.backend, payload: payload, body: body)
        }
        let backend = unsafe object.map { unsafe ObjectBox.of($0).takeUnretainedValue().header.backend }
        return unsafe answerLater(call, backend: backend, payload: payload, body: body)
    }

    /// - Parameter backend: The backend of the method's component, which is not destroyed while the task runs, even if
    ///   the call has already ended.
    static func answerLater(
        _ call: UnsafePointer<hslink_call>, backend: (any LinkBackend)?, payload: UnsafePointer<hslink_value>,
        body: nonisolated(nonsending) @escaping @Sendable (Payload) async throws -> Payload
    ) -> Int32 {
        let copy: Payload
        do {
            copy = try unsafe Payload(copying: payload.pointee, limits: .standard)
        } catch {
            return unsafe fail(call, error)
        }
        guard backend?.beginWork() ?? true else { return unsafe fail(call, LinkError(.stopped)) }
        let reply = unsafe Reply(call.pointee.reply)
        let task = Task.immediate {
            defer { backend?.endWork() }
            do {
                reply.succeed(try await body(copy))
            } catch {
                reply.fail(error)
            }
        }
        // Not even the closure is made for a task that has already answered.
        if !reply.hasAnswered { reply.onCancel { task.cancel() } }
        return Int32(HSLINK_LATER)
    }

    @usableFromInline
    static func deferAnswer(_ call: UnsafePointer<hslink_call>, _ body: (Reply) throws -> Void) -> Int32 {
        let reply = unsafe Reply(call.pointee.reply)
        do {
            try body(reply)
        } catch {
            reply.fail(error)
        }
        return Int32(HSLINK_LATER)
    }
}
