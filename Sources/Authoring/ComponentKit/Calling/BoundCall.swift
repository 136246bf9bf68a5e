/// A class and a selector, resolved once: the fastest way to call the same method many times.
///
///     let probe = try host.bind("VideoLink", "probe")
///     let info = try probe(["path": "clip.mp4"])
///
/// A bound call stays valid forever. Once its component has stopped, calls fail with ``LinkError/Code/stopped``.
/// Several threads may call it at the same time.
public struct BoundCall: Sendable {
    package let method: any BoundMethod

    package init(_ method: any BoundMethod) { self.method = method }

    /// Calls the method on this thread, and blocks the thread until the method has replied.
    ///
    /// - Returns: the method's return value; null if it returns nothing.
    /// - Throws: `LinkError` with the reason why the method was not performed.
    public func callAsFunction(_ payload: borrowing Payload) throws(LinkError) -> Payload {
        try method.callAndWait(payload)
    }

    /// Calls the method on a thread of the host, or on this thread if it is marked quick. Blocks this thread until the
    /// method has replied or `timeout` has passed.
    public func callAsFunction(_ payload: Payload, timeout: Duration) throws(LinkError) -> Payload {
        try method.begin(payload, .onHostThread(.after(timeout), callerSleeps: true)).wait()
    }

    /// Calls the method and passes the answer to `callback`, exactly once. Method and callback run on the same threads
    /// as with the callback forms of ``Link``.
    public func call(
        _ payload: Payload, timeout: Duration? = nil, callback: @escaping @Sendable (_ answer: Answer) -> Void
    ) {
        method.begin(payload, CallMode(timeout: timeout)).finish(.answer(callback))
    }

    /// Calls the method and suspends until it has replied. A method that blocks does not occupy a thread of Swift's
    /// cooperative thread pool. Cancelling the task cancels the call.
    public func call(_ payload: Payload, timeout: Duration? = nil) async throws(LinkError) -> Payload {
        try await method.callAndAwait(payload, timeout.map(Deadline.after)).get()
    }
}
