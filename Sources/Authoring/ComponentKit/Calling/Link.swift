import CHSLink

/// Calls components by name. The host has a link (`host.link`), and so does every component (`context.link`): what one
/// side requires, the other provides.
///
///     link.call("VideoLink", "probe", ["path": "clip.mp4"]) { returnValue, performSuccess, classIsLoad in
///         …
///     }
///     let info = try await link.call("VideoLink", "probe", ["path": "clip.mp4"])
///     let probe = try link.bind("VideoLink", "probe")    // resolved once, for hot paths
///
/// A link is a value; all of its functions may be called from any thread.
public struct Link: Sendable {
    package let backend: any LinkBackend

    package init(_ backend: any LinkBackend) { self.backend = backend }

    /// Calls a selector and passes the three parts of the answer to `callback`, exactly once.
    ///
    /// The method runs on this thread, and `callback` runs before this function returns. If the method replies later,
    /// `callback` runs on the thread that replies. With a timeout, a method that is not marked quick runs on a thread
    /// of the host: this function returns at once, and `callback` runs on a thread of the host.
    ///
    /// - Parameters:
    ///   - className: a link class of any component, or of the host.
    ///   - selector: a method of the class.
    ///   - payload: the payload that the method receives.
    ///   - kind: whether the method is called on an instance or on the class.
    ///   - timeout: how long the answer may take; nil for no limit.
    ///   - callback: receives the three parts that ``Answer`` describes.
    public func call(
        _ className: String, _ selector: String, _ payload: borrowing Payload = .null, kind: SelectorKind = .object,
        timeout: Duration? = nil,
        callback:
            @escaping @Sendable (
                _ returnValue: Payload?, _ performSuccess: Bool, _ classIsLoad: Bool
            ) -> Void
    ) {
        backend.call(
            className, selector, kind: kind, payload: payload, mode: CallMode(timeout: timeout), callback: callback)
    }

    /// Calls a selector and passes the whole answer, including any error, to `callback`. It otherwise behaves like the
    /// form with three parts.
    public func call(
        _ className: String, _ selector: String, _ payload: borrowing Payload = .null, kind: SelectorKind = .object,
        timeout: Duration? = nil, callback: @escaping @Sendable (_ answer: Answer) -> Void
    ) {
        backend.begin(className, selector, kind: kind, payload: payload, mode: CallMode(timeout: timeout))
            .finish(.answer(callback))
    }

    /// Calls a selector and suspends until the answer arrives, without occupying a thread of Swift's cooperative thread
    /// pool.
    ///
    /// The method runs on a thread of the host, or in place if it is marked quick and its instance already exists.
    /// Cancelling the task ends the call with ``LinkError/Code/cancelled`` and notifies the method.
    ///
    /// - Returns: the method's return value; null if it returns nothing.
    /// - Throws: `LinkError` with the reason why the method was not performed.
    public func call(
        _ className: String, _ selector: String, _ payload: consuming Payload = .null, kind: SelectorKind = .object,
        timeout: Duration? = nil
    ) async throws(LinkError) -> Payload {
        let payload = consume payload
        let outcome = await awaitCall(cancel: backend.cancel) {
            backend.begin(
                className, selector, kind: kind, payload: payload,
                mode: .onHostThread(timeout.map(Deadline.after), callerSleeps: false))
        }
        switch outcome {
        case .success(let value): return value
        // The error of a call that never began has no names yet.
        case .failure(let error): throw error.naming(className: className, selector: selector, component: "")
        }
    }

    /// Calls a selector and blocks this thread until the answer arrives.
    ///
    /// The method runs on this thread. With a timeout, a method that is not marked quick runs on a thread of the host.
    /// Do not call this from asynchronous code, or on the main thread if the method needs the main thread.
    ///
    /// - Returns: the method's return value; null if it returns nothing.
    /// - Throws: `LinkError` with the reason why the method was not performed.
    public func callAndWait(
        _ className: String, _ selector: String, _ payload: borrowing Payload = .null, kind: SelectorKind = .object,
        timeout: Duration? = nil
    ) throws(LinkError) -> Payload {
        guard let timeout else {
            return try backend.callAndWait(className, selector, kind: kind, payload: payload)
        }
        return try backend.begin(
            className, selector, kind: kind, payload: payload,
            mode: .onHostThread(.after(timeout), callerSleeps: true)
        ).wait()
    }

    /// Resolves a selector once, and loads its component if necessary.
    ///
    /// - Throws: `LinkError` with the reason why the class or the selector is unavailable.
    public func bind(
        _ className: String, _ selector: String, kind: SelectorKind = .object
    ) throws(LinkError) -> BoundCall {
        BoundCall(try backend.bind(className, selector, kind: kind))
    }

    /// Returns whether a component declares the class and, if given, the selector, and has neither failed nor been
    /// stopped. Only manifests are read and nothing is loaded, so a component that is available may still fail to load.
    public func isAvailable(
        _ className: String, _ selector: String? = nil, kind: SelectorKind = .object
    ) -> Bool {
        backend.isAvailable(className, selector, kind: kind)
    }

    /// Returns whether the component that has the class is loaded and running. The program's own classes are loaded until
    /// the host stops.
    public func isLoaded(_ className: String) -> Bool { backend.isLoaded(className) }

    /// Writes a line to the host's log, under the component's name.
    public func log(_ level: LogLevel, _ message: String) { backend.log(level, message) }
}

/// Whether a selector is called on an instance or on the class itself. A class may have one of each under the same
/// name; they are different methods.
public enum SelectorKind: String, Sendable, Hashable, CaseIterable {
    /// Called on an instance.
    case object
    /// Called on the class.
    case `class`

    package init?(boundary kind: UInt32) {
        switch Int(kind) {
        case HSLINK_OBJECT_METHOD: self = .object
        case HSLINK_CLASS_METHOD: self = .class
        default: return nil
        }
    }

    package var boundary: UInt32 {
        switch self {
        case .object: UInt32(HSLINK_OBJECT_METHOD)
        case .class: UInt32(HSLINK_CLASS_METHOD)
        }
    }
}
