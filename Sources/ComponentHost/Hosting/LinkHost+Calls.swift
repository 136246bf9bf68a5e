public import ComponentKit

// The short way to the calls of `link`, where they are documented.
extension LinkHost {
    /// Calls a selector and hands the three parts of the answer to `callback`, exactly once; threads as with the forms of
    /// ``ComponentKit/Link``.
    public func call(
        _ className: String, _ selector: String, _ payload: borrowing Payload = .null, kind: SelectorKind = .object,
        timeout: Duration? = nil,
        callback:
            @escaping @Sendable (
                _ returnValue: Payload?, _ performSuccess: Bool, _ classIsLoad: Bool
            ) -> Void
    ) {
        link.call(className, selector, payload, kind: kind, timeout: timeout, callback: callback)
    }

    /// The same with the whole answer, and the error where there is one.
    public func call(
        _ className: String, _ selector: String, _ payload: borrowing Payload = .null, kind: SelectorKind = .object,
        timeout: Duration? = nil, callback: @escaping @Sendable (_ answer: Answer) -> Void
    ) {
        link.call(className, selector, payload, kind: kind, timeout: timeout, callback: callback)
    }

    /// See ``ComponentKit/Link/call(_:_:_:kind:timeout:)``.
    public func call(
        _ className: String, _ selector: String, _ payload: consuming Payload = .null, kind: SelectorKind = .object,
        timeout: Duration? = nil
    ) async throws(LinkError) -> Payload {
        try await link.call(className, selector, payload, kind: kind, timeout: timeout)
    }

    /// See ``ComponentKit/Link/callAndWait(_:_:_:kind:timeout:)``.
    public func callAndWait(
        _ className: String, _ selector: String, _ payload: borrowing Payload = .null, kind: SelectorKind = .object,
        timeout: Duration? = nil
    ) throws(LinkError) -> Payload {
        try link.callAndWait(className, selector, payload, kind: kind, timeout: timeout)
    }

    /// See ``ComponentKit/Link/bind(_:_:kind:)``.
    public func bind(
        _ className: String, _ selector: String, kind: SelectorKind = .object
    ) throws(LinkError) -> BoundCall {
        try link.bind(className, selector, kind: kind)
    }

    /// See ``ComponentKit/Link/isAvailable(_:_:kind:)``.
    public func isAvailable(
        _ className: String, _ selector: String? = nil, kind: SelectorKind = .object
    ) -> Bool {
        link.isAvailable(className, selector, kind: kind)
    }

    /// See ``ComponentKit/Link/isLoaded(_:)``.
    public func isLoaded(_ className: String) -> Bool { link.isLoaded(className) }
}
