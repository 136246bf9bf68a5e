/// A class and a selector, resolved once: the quick way to call the same method many times.
///
///     let probe = try host.bind("VideoLink", "probe")
///     let info = try probe(["path": "clip.mp4"])
///
/// It stays valid for ever: after its component was stopped, calls fail with ``LinkError/Code/stopped``.
/// Any thread, several at once.
public struct BoundCall: Sendable {
    package let method: any BoundMethod

    package init(_ method: any BoundMethod) { self.method = method }

    /// Calls the method on this thread. It returns when the method has replied; one that replies later
    /// blocks the thread until then.
    ///
    /// - Returns: what the method returned, null for one that returns nothing.
    /// - Throws: why it was not performed.
    public func callAsFunction(_ payload: borrowing Payload) throws(LinkError) -> Payload {
        try method.callAndWait(payload)
    }

    /// Calls the method on a thread of the host, or on this one where it is marked quick, and blocks this one until it
    /// has replied, or `timeout` has passed.
    public func callAsFunction(_ payload: Payload, timeout: Duration) throws(LinkError) -> Payload {
        try method.begin(payload, .onHostThread(.after(timeout), callerSleeps: true)).wait()
    }

    /// Calls the method and hands the answer to `callback`, exactly once; threads as with the callback
    /// forms of ``Link``.
    public func call(
        _ payload: Payload, timeout: Duration? = nil, callback: @escaping @Sendable (_ answer: Answer) -> Void
    ) {
        method.begin(payload, CallMode(timeout: timeout)).finish(.answer(callback))
    }

    /// Calls the method and suspends until it has replied; never occupies a thread of Swift's pool with a
    /// method that blocks. Cancelling the task cancels the call.
    public func call(_ payload: Payload, timeout: Duration? = nil) async throws(LinkError) -> Payload {
        try await method.callAndAwait(payload, timeout.map(Deadline.after)).get()
    }
}
