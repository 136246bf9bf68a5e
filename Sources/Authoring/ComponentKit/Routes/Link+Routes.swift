/// Opening URLs from a component: the host finds the route, and calls the selector that has it.
///
///     let info = try await context.link.open("studio://video/7?autoplay=true")
///     let video = try await context.link.open(VideoServiceRoutes.open(id: 7))    // typed, from a contract
///     context.link.canOpen("studio://video/7")
extension Link {
    /// The class with which every host opens URLs and answers questions about routes.
    package static let routesClass = "hslink.Routes"

    /// Opens a URL and suspends until the call has been answered. Cancelling the task cancels the call.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - payload: a map of the values passed beside the URL, keyed by parameter names: objects, closures, models.
    ///   - source: the name of the source outside the program that the URL comes from, such as "browser"; nil if it
    ///     comes from the program. From outside only routes that are marked public are found.
    ///   - timeout: how long the answer may take; nil for no limit.
    /// - Returns: the value that the selector returned.
    /// - Throws: `LinkError` with the reason why the URL was not opened.
    @discardableResult
    public func open(
        _ url: String, _ payload: Payload = .null, fromSource source: String? = nil, timeout: Duration? = nil
    ) async throws(LinkError) -> Payload {
        try await call(
            Link.routesClass, "open", Link.request(url, payload, source: source), kind: .class, timeout: timeout)
    }

    /// Opens a route that the contract of a service has made, and returns its typed answer.
    ///
    /// - Throws: the error that the method threw, if it is a model; otherwise `LinkError` with the reason why it was not
    ///   opened, or `PayloadError` if the answer does not fit.
    @discardableResult
    public func open<Result>(_ route: TypedRoute<Result>, timeout: Duration? = nil) async throws -> Result {
        let payload = try route.payload(for: self)
        let answer: Payload
        do throws(LinkError) {
            answer = try await open(route.url, payload, timeout: timeout)
        } catch {
            throw error.originalOrSelf
        }
        return try route.result(of: answer, for: self)
    }

    /// Opens a route and blocks this thread until the call has been answered.
    func openAndWait<Result>(_ route: TypedRoute<Result>) throws -> Result {
        let request = Link.request(route.url, try route.payload(for: self), source: nil)
        let answer: Payload
        do throws(LinkError) {
            answer = try callAndWait(Link.routesClass, "open", request, kind: .class)
        } catch {
            throw error.originalOrSelf
        }
        return try route.result(of: answer, for: self)
    }

    /// Returns whether something opens a URL; see `LinkHost.canOpen(_:from:)`. Loads nothing.
    public func canOpen(_ url: String, fromSource source: String? = nil) -> Bool {
        let answer = try? callAndWait(
            Link.routesClass, "canOpen", Link.request(url, .null, source: source), kind: .class)
        return (try? answer?.bool()) ?? false
    }

    private static func request(_ url: String, _ payload: Payload, source: String?) -> Payload {
        var entries: [(String, Payload)] = [("url", .string(url))]
        if !payload.isNull { entries.append(("payload", payload)) }
        if let source { entries.append(("source", .string(source))) }
        return .map(entries)
    }
}
