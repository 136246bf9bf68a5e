import ComponentKit

/// How a thread of the host came to the call that it carries out: from inside which calls, on which threads before.
final class CallOrigin: Sendable {
    /// Levels of calls before those of the thread itself.
    let depth: Int
    /// The limiter in which the call has its place.
    let limiter: ConcurrencyLimiter
    /// That of the thread which sleeps until the call has ended.
    let sleep: OnceGates.Sleep?
    private let parent: CallOrigin?
    /// The calls that the thread before was inside of, outermost first.
    private let steps: [String]

    /// A call that this thread makes for another one to carry out.
    init(on thread: ThreadContext, _ limiter: ConcurrencyLimiter, sleep: OnceGates.Sleep?) {
        parent = CallOrigin.current(thread)
        depth = (parent?.depth ?? 0) + thread.depth
        steps = thread.depth == 0 ? [] : CallOrigin.names(of: thread.methods)
        self.limiter = limiter
        self.sleep = sleep
    }

    /// That of the call that a thread carries out; nil when the thread is not one of the host's.
    static func current(_ thread: ThreadContext) -> CallOrigin? {
        unsafe thread.state.pointee.origin.map { unsafe Unmanaged<CallOrigin>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the thread carries out a call just now, or code that one of them has led to.
    static func isInFlight(_ thread: ThreadContext) -> Bool {
        unsafe thread.depth > 0 || thread.state.pointee.origin != nil
    }

    /// How deep a call from this thread would be.
    static func depth(_ thread: ThreadContext) -> Int { (current(thread)?.depth ?? 0) + thread.depth }

    /// Calls inside calls were refused at this depth; the message shows how they came there.
    static func tooDeep(_ thread: ThreadContext) -> LinkError {
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
            message: "calls are nested \(depth(thread)) deep, more than the stack, or the share of threads, "
                + "takes: " + shown.joined(separator: " → ")
                + "; let the recursion end, or go on after the call has returned")
    }

    private static func names(of methods: [UInt]) -> [String] {
        methods.map { address in
            if address == ThreadContext.objectCall { return "(an object)" }
            guard let method = unsafe UnsafePointer<MethodEntry>(bitPattern: address) else { return "(own thread)" }
            return unsafe "\(method.pointee.className).\(method.pointee.selector)"
        }
    }
}
