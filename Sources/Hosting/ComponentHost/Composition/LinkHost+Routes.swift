public import ComponentKit
import Routing
import SystemSupport

/// Opening URLs: each is matched against the routes that components declare, and becomes a call of the selector that has
/// the route, with the placeholders and the items of the query as its payload.
///
///     let info = try await host.open("studio://video/7?autoplay=true")
///     host.canOpen("studio://video/7")                                     // reads manifests only
///     let video = try await host.open(VideoServiceRoutes.open(id: 7))      // typed, from a contract
///
/// The functions answer as calls do. Other values can be passed beside the URL, by the names of parameters: objects,
/// closures, models. Added to the errors of the call are ``ComponentKit/LinkError/Code/routeNotFound`` for a URL
/// that no route matches, ``ComponentKit/LinkError/Code/routeDeclined`` if each matching route declined, and
/// ``ComponentKit/LinkError/Code/routeRefused`` from an interceptor.
extension LinkHost {
    /// Opens a URL and suspends until the call has been answered. Cancelling the task cancels the call.
    ///
    /// - Parameters:
    ///   - url: the URL; it need not be percent-encoded where that is unambiguous.
    ///   - payload: a map of the values passed beside the URL, keyed by parameter names.
    ///   - origin: where the URL comes from.
    ///   - timeout: how long the answer may take, with everything that interceptors do; nil for no limit.
    /// - Returns: the value that the selector returned.
    /// - Throws: `LinkError` with the reason why the URL was not opened.
    @discardableResult
    public func open(
        _ url: String, _ payload: Payload = .null, from origin: RouteOrigin = .inside, timeout: Duration? = nil
    ) async throws(LinkError) -> Payload {
        try await routes.openAndAwait(url, payload, from: origin, deadline: timeout.map(Deadline.after))
    }

    /// Opens a route that the contract of a service has made, and returns its typed answer.
    ///
    /// - Throws: the error that the method threw, if it is a model; otherwise `LinkError` with the reason why it was not
    ///   opened, or `PayloadError` if the answer does not fit.
    @discardableResult
    public func open<Result>(_ route: TypedRoute<Result>, timeout: Duration? = nil) async throws -> Result {
        let payload = try route.payload(for: link)
        let answer: Payload
        do throws(LinkError) {
            answer = try await open(route.url, payload, timeout: timeout)
        } catch {
            throw error.originalOrSelf
        }
        return try route.result(of: answer, for: link)
    }

    /// Opens a URL and blocks this thread until the call has been answered. Do not call this from asynchronous code.
    ///
    /// - Throws: `LinkError` with the reason why the URL was not opened.
    @discardableResult
    public func openAndWait(
        _ url: String, _ payload: Payload = .null, from origin: RouteOrigin = .inside, timeout: Duration? = nil
    ) throws(LinkError) -> Payload {
        try routes.openAndWait(url, payload, from: origin, deadline: timeout.map(Deadline.after))
    }

    /// Opens a URL and passes the three parts of the answer to `callback`, exactly once, on the threads that
    /// ``ComponentKit/Link`` documents for calls.
    public func open(
        _ url: String, _ payload: Payload = .null, from origin: RouteOrigin = .inside, timeout: Duration? = nil,
        callback:
            @escaping @Sendable (
                _ returnValue: Payload?, _ performSuccess: Bool, _ classIsLoad: Bool
            ) -> Void
    ) {
        routes.open(url, payload, from: origin, mode: CallMode(timeout: timeout), completion: .parts(callback))
    }

    /// Opens a URL and passes the whole answer, including an error, to `callback`, exactly once.
    public func open(
        _ url: String, _ payload: Payload = .null, from origin: RouteOrigin = .inside, timeout: Duration? = nil,
        callback: @escaping @Sendable (_ answer: Answer) -> Void
    ) {
        routes.open(url, payload, from: origin, mode: CallMode(timeout: timeout), completion: .answer(callback))
    }

    /// Opens a URL whose answer is an object: an instance of a link class, or a closure.
    ///
    /// - Throws: `LinkError` with the reason why the URL was not opened, or with code
    ///   ``ComponentKit/LinkError/Code/invalidReply`` if the answer is not an object.
    public func object(
        for url: String, _ payload: Payload = .null, from origin: RouteOrigin = .inside, timeout: Duration? = nil
    ) async throws(LinkError) -> LinkObject {
        let answer = try await open(url, payload, from: origin, timeout: timeout)
        do {
            return try answer.object()
        } catch {
            throw LinkError(.invalidReply, message: "the answer to \(url.quoted(limit: 200)): \(error)")
        }
    }

    /// Returns whether something opens a URL: whether a route matches whose component has neither failed nor been
    /// stopped. Loads nothing and asks no interceptor, so that opening it may still fail.
    public func canOpen(_ url: String, from origin: RouteOrigin = .inside) -> Bool {
        routes.canOpen(url, origin)
    }

    /// Returns what opens a URL; nil if no route matches. Loads nothing.
    public func route(for url: String, from origin: RouteOrigin = .inside) -> RouteInfo? {
        routes.info(for: url, origin)
    }
}
