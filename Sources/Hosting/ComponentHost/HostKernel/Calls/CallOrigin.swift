import ComponentKit

/// The chain of calls, across threads, that led to the call that a thread of the host is carrying out.
final class CallOrigin: Sendable {
    /// The number of enclosing calls on earlier threads.
    let depth: Int
    /// The limiter in which the call occupies a slot.
    let limiter: ConcurrencyLimiter
    /// The sleep of the thread that waits for the call; nil if none sleeps.
    let sleep: OnceGates.Sleep?
    private let parent: CallOrigin?
    /// The calls that the previous thread was running, outermost first.
    private let steps: [String]

    /// Creates the origin of a call that this thread makes and another one carries out.
    init(on thread: ThreadContext, _ limiter: ConcurrencyLimiter, sleep: OnceGates.Sleep?) {
        parent = CallOrigin.current(thread)
        // The call that the thread carries out counts, even if it is that of an object that makes no mark.
        depth = (parent?.depth ?? 0) + max(thread.ownDepth, parent == nil ? 0 : 1)
        steps = thread.ownDepth == 0 ? [] : CallOrigin.names(of: thread.methods)
        self.limiter = limiter
        self.sleep = sleep
    }

    /// Returns the origin of the call that a thread of the host is carrying out; nil if it carries out none.
    static func current(_ thread: ThreadContext) -> CallOrigin? {
        unsafe thread.state.pointee.running.origin.map {
            unsafe Unmanaged<CallOrigin>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Returns the origin of the call that a thread of the host carries out, even if it is lent to other code meanwhile.
    static func carriedOut(by thread: ThreadContext) -> CallOrigin? {
        unsafe thread.state.pointee.carriesOut.map {
            unsafe Unmanaged<CallOrigin>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Returns the depth that a call from this thread would have.
    static func depth(_ thread: ThreadContext) -> Int { (current(thread)?.depth ?? 0) + thread.ownDepth }

    /// Returns the error for a call that is nested too deeply. Its message shows the chain of calls.
    static func tooDeepError(_ thread: ThreadContext) -> LinkError {
        var steps = names(of: thread.methods)
        var origin = current(thread)
        while let before = origin, steps.count < ThreadContext.frameCount {
            steps = before.steps + steps
            origin = before.parent
        }
        let shown =
            steps.count <= 8
            ? steps : Array(steps.prefix(3)) + ["… \(steps.count - 7) more …"] + Array(steps.suffix(4))
        return LinkError(
            .tooDeep,
            message: "calls are nested \(depth(thread)) deep, more than the stack or the component's share of threads "
                + "allows: " + shown.joined(separator: " → ")
                + "; end the recursion, or continue after the call has returned")
    }

    private static func names(of methods: [UInt]) -> [String] {
        methods.map { address in
            if (ThreadContext.objectCall...ThreadContext.objectMark).contains(address) { return "(an object)" }
            guard let method = unsafe UnsafePointer<MethodEntry>(bitPattern: address) else { return "(own thread)" }
            return unsafe "\(method.pointee.className).\(method.pointee.selector)"
        }
    }
}
