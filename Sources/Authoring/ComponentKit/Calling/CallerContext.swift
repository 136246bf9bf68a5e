import CHSLink
import Instrumentation

/// The context of running code: the strings that its calls carry, with its service context, and the event that it
/// handles.
///
/// Code that goes on after an answer, such as a callback, a cancellation handler or the next step of an operation, runs
/// on the thread that answers. That thread is in the middle of something else, often in another person's session.
/// So a caller's context is kept with its call, and what follows the answer runs in it: the thread is lent, and nothing
/// that it carries or any task that it runs is inherited.
@safe
package struct CallerContext: Sendable {
    private var service: ServiceContext?
    /// What the calls of code without a service context carry, such as those of a component in C.
    private var carried: Payload?
    /// The delivery whose handler the thread runs, as the host knows it.
    private var delivery = 0
    /// The delivery of the handler that the task runs.
    private var handled: Int?
    /// Whether the code is part of a call in flight.
    private var isInFlight = false

    /// The context in which nothing is carried and no event is handled.
    private init() {}

    /// The context of the running code.
    package static var current: CallerContext {
        let thread = ThreadContext.current
        let running = unsafe thread.state.pointee.running
        var context = CallerContext()
        context.isInFlight = thread.isInFlight
        context.service = ServiceContext.current
        context.delivery = unsafe running.eventDelivery
        context.handled = __CurrentDelivery.current
        if let carried = unsafe running.carried {
            // The code of a method in this image has its call's strings in its service context too.
            if let known = context.service.flatMap(Carried.payload), unsafe known.isSame(as: carried.pointee) {
                context.carried = known
            } else {
                // The host has checked the strings.
                context.carried = unsafe try? Payload(copying: carried.pointee, limits: .standard)
            }
        }
        return context
    }

    /// The same context outside of the handlers of events.
    package var outsideOfHandlers: CallerContext {
        var context = self
        (context.delivery, context.handled) = (0, nil)
        return context
    }

    /// Runs `body` at once in this context, on this thread.
    ///
    /// The body runs in a task of its own, which is not cancelled and inherits no task-local values from code in any
    /// image. It may block the thread as long as the thread may be blocked.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
        // The task has ended when this returns, since it does not suspend.
        nonisolated(unsafe) var value: Value?
        runStep { unsafe value = body() }
        guard let value = unsafe value else { preconditionFailure("a task that does not suspend has ended") }
        return value
    }

    /// Runs `body` as the generic form does.
    package func run(_ body: @escaping @Sendable () -> Void) { runStep(body) }

    /// Releases what a caller keeps, which may run its code, in this context. Costs nothing if there is no context on
    /// either side.
    func release(_ kept: consuming some AnyObject & Sendable) {
        let running = unsafe ThreadContext.current.state.pointee.running
        let isPlain = service == nil && carried == nil && delivery == 0 && handled == nil
        let isLenderPlain =
            unsafe running.carried == nil && running.eventDelivery == 0 && ServiceContext.current == nil
            && __CurrentDelivery.current == nil
        guard !isPlain || !isLenderPlain else { return }
        // The task takes the last reference with it.
        let last = Lock(Optional(consume kept))
        runStep { _ = last.withLock { $0.take() } }
    }

    private func runStep(_ body: @escaping @Sendable () -> Void) {
        _ = Task.immediateDetached {
            CallerContext.borrowThread(for: self) { thread in
                bind { CallerContext.carry(carried, on: thread, body) }
            }
        }
    }

    /// Runs C code in this context, with the strings its calls carry. It costs less than a task of its own; code in
    /// Swift would inherit the task-local values of the code that lends the thread.
    func runInC(_ body: () -> Void) {
        CallerContext.borrowThread(for: self) { thread in
            CallerContext.carry(carried, on: thread, body)
        }
    }

    /// Runs code that only wakes a thread or a task, with nothing carried.
    static func runWaking(_ body: () -> Void) { borrowThread(for: nil) { _ in body() } }

    /// Lends the thread to other code. What that code has left on the thread is removed: it would look like the
    /// lender's.
    @inline(__always)
    private static func borrowThread(for context: CallerContext?, _ body: (ThreadContext) -> Void) {
        let thread = ThreadContext.current
        let lender = unsafe thread.state.pointee.running
        let depth = thread.depth
        var running = unsafe ThreadContext.Running()
        unsafe running.base = depth
        if let context {
            unsafe running.eventDelivery = context.delivery
            unsafe running.isInFlight = context.isInFlight
        }
        unsafe thread.state.pointee.running = unsafe running
        body(thread)
        if thread.depth != depth { _ = thread.leave(to: depth, expecting: 0) }
        unsafe thread.state.pointee.running = unsafe lender
    }

    /// Runs code whose effects all callers share, such as the creation of a component: on this thread and as part of
    /// the running call, but with nothing carried, outside of all handlers, and in a task of its own, so that tasks that
    /// it creates do not act for the first caller that needed it.
    package static func withNothingCarried<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // The task has ended when this returns, since it does not suspend.
        nonisolated(unsafe) var result: Result<Value, Failure>?
        withoutActuallyEscaping(body) { body in
            // Only this thread calls it, before this returns.
            nonisolated(unsafe) let body = body
            _ = Task.immediateDetached {
                let thread = ThreadContext.current
                let depth = thread.depth
                let outer = unsafe thread.state.pointee.running
                unsafe thread.state.pointee.running.carried = nil
                unsafe thread.state.pointee.running.eventDelivery = 0
                unsafe thread.state.pointee.running.isCallingObject = false
                defer {
                    // A bracket that was not left would keep the component from ever being destroyed.
                    if thread.depth != depth { _ = thread.leave(to: depth, expecting: 0) }
                    unsafe thread.state.pointee.running = unsafe outer
                }
                unsafe result = Result { () throws(Failure) in try unsafe body() }
            }
        }
        guard let result = unsafe result else { preconditionFailure("a task that does not suspend has ended") }
        return try result.get()
    }

    /// Sets the task-local values. There are none in a detached task, so those that are nil need no setting.
    private func bind(_ body: () -> Void) {
        guard service != nil || handled != nil else { return body() }
        ServiceContext.$current.withValue(service) {
            guard let handled else { return body() }
            __CurrentDelivery.$current.withValue(handled) { body() }
        }
    }

    private static func carry(_ carried: Payload?, on thread: ThreadContext, _ body: () -> Void) {
        guard let carried else { return body() }
        unsafe carried.withUnsafeValue { value in
            unsafe thread.state.pointee.running.carried = unsafe value
            body()
        }
    }
}
