public import ComponentKit

// Shortcuts for the calls of `link`, which document them.
extension LinkHost {
    /// Performs an action and passes the three parts of the answer to `callback`, exactly once.
    ///
    ///     host.perform(target: "Video", action: "probe", ["path": "clip.mp4"]) { value, performSuccess, classIsLoad in … }
    ///
    /// The class of the target `Video` is `VideoLink`, else `Video`, else `Target_Video`.
    /// ``ComponentKit/Link/perform(target:action:_:timeout:)`` documents how the method is found, and what happens if
    /// there is none. The callback runs on the threads that ``ComponentKit/Link`` documents.
    public func perform(
        target: String, action: String, _ payload: borrowing Payload = .null, timeout: Duration? = nil,
        callback:
            @escaping @Sendable (
                _ returnValue: Payload?, _ performSuccess: Bool, _ classIsLoad: Bool
            ) -> Void
    ) {
        link.perform(target: target, action: action, payload, timeout: timeout, callback: callback)
    }

    /// Performs an action and passes the whole answer, including an error, to `callback`, exactly once.
    public func perform(
        target: String, action: String, _ payload: borrowing Payload = .null, timeout: Duration? = nil,
        callback: @escaping @Sendable (_ answer: Answer) -> Void
    ) {
        link.perform(target: target, action: action, payload, timeout: timeout, callback: callback)
    }

    /// See ``ComponentKit/Link/perform(target:action:_:timeout:)``.
    public func perform(
        target: String, action: String, _ payload: consuming Payload = .null, timeout: Duration? = nil
    ) async throws(LinkError) -> Payload {
        try await link.perform(target: target, action: action, payload, timeout: timeout)
    }

    /// See ``ComponentKit/Link/performAndWait(target:action:_:timeout:)``.
    public func performAndWait(
        target: String, action: String, _ payload: borrowing Payload = .null, timeout: Duration? = nil
    ) throws(LinkError) -> Payload {
        try link.performAndWait(target: target, action: action, payload, timeout: timeout)
    }

    /// See ``ComponentKit/Link/check(target:action:)``.
    public func check(target: String, action: String? = nil) -> Bool { link.check(target: target, action: action) }

    /// Releases the instances that the host keeps of a target's class: the shared one, or those of all consumers. The
    /// next call makes a new instance.
    ///
    /// An instance is released once every thread has returned from the methods of the class that it was running when
    /// this was called: at once if there are none, otherwise soon after the last one returns, or when the host stops.
    /// A method that has returned but answers later keeps its instance itself. Code that holds the instance as an
    /// object also keeps it. Does not wait, so a method of the class may call this too.
    ///
    /// Runs the component's code that releases the instance, on this thread or on one of the host; do not call it from
    /// code that must not block.
    ///
    /// - Returns: Whether the class had instances. False if there is no such target or it is not loaded.
    @discardableResult
    public func releaseTarget(_ target: String) -> Bool { core.releaseInstances(ofTarget: target) }
}

extension LinkHost {
    /// Returns the method that ``perform(target:action:_:timeout:)`` would call; nil if there is none. Handlers for
    /// requests that nothing answers do not count. Loads nothing.
    package func resolve(target: String, action: String) -> CallTarget? { core.resolve(target, action) }
}
