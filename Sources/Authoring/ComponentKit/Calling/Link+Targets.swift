// Calls by target and action, for callers that know what they want but not which class has it.
extension Link {
    /// Performs an action and passes the three parts of the answer to `callback`, exactly once.
    ///
    ///     link.perform(target: "Video", action: "probe", ["path": "clip.mp4"]) { value, performSuccess, classIsLoad in
    ///         …
    ///     }
    ///
    /// ``perform(target:action:_:timeout:)`` describes how the method is found. Method and callback run on the same
    /// threads as with `call`.
    ///
    /// - Parameters:
    ///   - target: the target, such as "Video" for the class `VideoLink`.
    ///   - action: the action, such as the name of a selector.
    ///   - payload: the payload that the method receives.
    ///   - timeout: how long the answer may take; nil for no limit.
    ///   - callback: receives the three parts that ``Answer`` describes.
    public func perform(
        target: String, action: String, _ payload: borrowing Payload = .null, timeout: Duration? = nil,
        callback:
            @escaping @Sendable (
                _ returnValue: Payload?, _ performSuccess: Bool, _ classIsLoad: Bool
            ) -> Void
    ) {
        backend.perform(target, action, payload: payload, mode: CallMode(timeout: timeout)).finish(.parts(callback))
    }

    /// Performs an action and passes the whole answer, including any error, to `callback`. It otherwise behaves like
    /// the form with three parts.
    public func perform(
        target: String, action: String, _ payload: borrowing Payload = .null, timeout: Duration? = nil,
        callback: @escaping @Sendable (_ answer: Answer) -> Void
    ) {
        backend.perform(target, action, payload: payload, mode: CallMode(timeout: timeout)).finish(.answer(callback))
    }

    /// Performs an action and suspends until the answer arrives. The method runs on the same threads as with
    /// ``call(_:_:_:kind:timeout:)``. Cancelling the task cancels the call.
    ///
    ///     let info = try await link.perform(target: "Video", action: "probe", ["path": "clip.mp4"])
    ///
    /// The class of the target `Video` is `VideoLink`, else `Video`, else `Target_Video`. The method is the object method
    /// `probe`, else the class method `probe`. In a class whose name begins with `Target_`, the selector may also be
    /// called `Action_probe`, and each of the two names may end with a colon.
    ///
    /// If nothing answers, another method may receive the request, as a payload with the keys `target`, `action` and
    /// `params`: the action `notFound` of the target, else the action `response` of the target `NoTargetAction`. Its
    /// answer is the answer of the call. Without either, the call fails with ``LinkError/Code/classNotFound`` or
    /// ``LinkError/Code/selectorNotFound``; the error of a call that the program makes suggests a similar name. A target
    /// whose component cannot be loaded or has been stopped does not count as missing: the call fails with the reason.
    ///
    /// - Returns: the method's return value; null if it returns nothing.
    /// - Throws: `LinkError` with the reason why the method was not performed.
    public func perform(
        target: String, action: String, _ payload: consuming Payload = .null, timeout: Duration? = nil
    ) async throws(LinkError) -> Payload {
        let payload = consume payload
        let outcome = await awaitCall(cancel: backend.cancel) {
            backend.perform(
                target, action, payload: payload,
                mode: .onHostThread(timeout.map(Deadline.after), callerSleeps: false))
        }
        switch outcome {
        case .success(let value): return value
        case .failure(let error):
            // The error of a call that never began has no names yet.
            guard error.className.isEmpty else { throw error }
            throw error.naming(className: target, selector: action, component: "")
        }
    }

    /// Performs an action and blocks this thread until the answer arrives. The method runs on the same threads as with
    /// ``callAndWait(_:_:_:kind:timeout:)``, and the same restrictions apply.
    ///
    /// - Returns: the method's return value; null if it returns nothing.
    /// - Throws: `LinkError` with the reason why the method was not performed.
    public func performAndWait(
        target: String, action: String, _ payload: borrowing Payload = .null, timeout: Duration? = nil
    ) throws(LinkError) -> Payload {
        guard let timeout else { return try backend.performAndWait(target, action, payload: payload) }
        return try backend.perform(
            target, action, payload: payload, mode: .onHostThread(.after(timeout), callerSleeps: true)
        ).wait()
    }

    /// Returns whether a component declares the target and, if given, the action, and has neither failed nor been
    /// stopped. An action that only `notFound` would receive does not count. Only manifests are read and nothing is
    /// loaded, so a component that is available may still fail to load.
    public func check(target: String, action: String? = nil) -> Bool { backend.check(target, action) }
}

/// The payload of a request that was passed on because nothing answers to its target and action.
package func requestPayload(target: String, action: String, params: borrowing Payload) -> Payload {
    ["target": .string(target), "action": .string(action), "params": copy params]
}
