import ComponentCatalog
import ComponentKit
import Routing
import SystemSupport
import Tracing

/// The opening of a URL, as a sequence of calls: those of the interceptors and of other URLs that they want opened, then
/// that of the selector, and of further ones while they decline.
///
/// It makes no call itself. Its driver makes each call as its own caller wants it, whether waiting, suspending or
/// with a callback, and passes the outcome back.
struct RouteOpening {
    enum Step {
        case call(CallTarget, Payload)
        /// A call by target and action.
        case perform(target: String, action: String, Payload)
        case done(Result<Payload, LinkError>)
    }

    /// A URL that is being opened.
    fileprivate struct Frame {
        let url: String
        /// The values that the caller passes beside the URL.
        let payload: Payload
        /// All routes that match, best first, once one has declined.
        var all: [RouteMatch<RouteTarget>]?
        /// The number of routes that have been tried.
        var tried = 1
        let target: RouteTarget
        var parameters: Payload
        /// The number of interceptors that have been asked, or do not need to be.
        var asked = 0
        var isCalled = false
        /// What the URL names instead of a route.
        var named: NamedAction?
    }

    /// A target and an action that a URL names.
    fileprivate final class NamedAction: Sendable {
        let url: TargetActionURL
        /// The method that answers to it; nil if there is none.
        let method: CallTarget?

        init(_ url: TargetActionURL, _ method: CallTarget?) {
            self.url = url
            self.method = method
        }
    }

    private let core: HostCore
    private let directory: RouteDirectory
    private let origin: RouteOrigin
    /// The URL that is being opened; nil before the first step, and while nothing matches.
    private var frame: Frame?
    /// The URLs that wait until another one has been opened.
    private var outer: [(frame: Frame, way: [String])] = []
    /// The URL that was to be opened.
    private let start: String
    private let first: Payload
    /// The URLs whose closures this is opened by, outermost first.
    private let enclosing = RouteOpening.inClosures
    /// The URLs that it led to, to find those that lead in a circle; the last is the one that is being opened.
    private var way: [String] = []

    /// The number of URLs that may lead to another.
    static let wayLimit = 16
    /// The number of URLs that may be opened for one, also one after another.
    private static let countLimit = 64
    private var count = 0

    /// The URLs whose closures the running code is part of, outermost first.
    fileprivate static var inClosures: [String] { ServiceContext.current?[EnclosingURLs.self] ?? [] }

    init(_ core: HostCore, _ directory: RouteDirectory, url: String, payload: Payload, from origin: RouteOrigin) {
        self.core = core
        self.directory = directory
        self.origin = origin
        start = url.withoutSpaceAround
        first = payload
    }

    /// Creates an opening whose first call has been made. The next step needs its outcome.
    init(_ core: HostCore, _ directory: RouteDirectory, url: String, after route: DirectRoute) {
        self.init(core, directory, url: url, payload: .null, from: .inside)
        frame = Frame(url: start, payload: .null, target: route.target, parameters: route.parameters, isCalled: true)
    }

    /// Returns what to do next.
    ///
    /// - Parameter outcome: the outcome of the call that the last step asked for; nil for the first step.
    mutating func next(_ outcome: Result<Payload, LinkError>? = nil) -> Step {
        do throws(LinkError) {
            guard let outcome else {
                try checkEnclosing()
                return try enter(start, first)
            }
            // Nothing matched, and the closure for that has answered.
            guard frame != nil else { return try ended(outcome) }
            return try frame?.isCalled == true ? called(outcome) : intercepted(outcome)
        } catch {
            return .done(.failure(error))
        }
    }

    // MARK: Finding the route

    private mutating func enter(_ url: String, _ payload: Payload) throws(LinkError) -> Step {
        let url = try redirected(url)
        guard payload.isNull || payload.kind == .map else {
            throw LinkError(.payloadMismatch, message: "the parameters passed beside a URL must be a map or nothing")
        }
        guard let match = origin.source == nil ? directory.table.match(url) : matches(url).first else {
            return try unmatched(url)
        }
        frame = try makeFrame(match, url: url, payload: payload)
        return try proceed()
    }

    private func matches(_ url: String) -> [RouteMatch<RouteTarget>] {
        directory.table.matches(url).filter { origin.mayOpen($0.value) }
    }

    /// Tries the next route after one that has declined; nil if there is none.
    private mutating func enterNext() throws(LinkError) -> Step? {
        guard let declined = frame else { return nil }
        let all = declined.all ?? matches(declined.url)
        guard declined.tried < all.count else { return nil }
        var next = try makeFrame(all[declined.tried], url: declined.url, payload: declined.payload)
        next.all = all
        next.tried = declined.tried + 1
        frame = next
        return try proceed()
    }

    private func makeFrame(
        _ match: RouteMatch<RouteTarget>, url: String, payload: Payload
    ) throws(LinkError) -> Frame {
        do throws(LinkError) {
            if match.value.isTargetAction { return try makeActionFrame(match, url: url, payload: payload) }
            let parameters = try match.payload(payload, directory.options, of: match.value.parameters)
            return Frame(url: url, payload: payload, target: match.value, parameters: parameters)
        } catch {
            throw error.naming(match.value)
        }
    }

    private func makeActionFrame(
        _ match: RouteMatch<RouteTarget>, url: String, payload: Payload
    ) throws(LinkError) -> Frame {
        let named: TargetActionURL?
        do throws(RouteURLError) {
            named = try TargetActionURL(url, directory.options)
        } catch {
            throw LinkError(.payloadMismatch, message: "\(error)")
        }
        // The host's own classes open URLs as ones from inside.
        guard let action = named, !action.target.lowercased().hasPrefix("hslink.") else {
            throw LinkError(.routeNotFound, message: "\(url.quoted(limit: 200)) does not name a target and an action")
        }
        let parameters = try match.payload(
            payload, directory.options, of: core.parameters(of: action), withoutPath: true)
        var frame = Frame(url: url, payload: payload, target: match.value, parameters: parameters)
        frame.named = NamedAction(action, core.resolve(action.target, action.action))
        return frame
    }

    /// Follows the redirects of the host.
    private mutating func redirected(_ url: String) throws(LinkError) -> String {
        guard directory.hasRedirects else { return url }
        do throws(LinkError) {
            for url in try directory.redirected(url).dropFirst() { try note(url) }
        } catch {
            // Outside callers must not learn the URLs on the way.
            throw origin.source == nil ? error : LinkError(.routeNotFound)
        }
        return way.last ?? url
    }

    /// Adds a URL to the path.
    private mutating func note(_ url: String) throws(LinkError) {
        way.append(url)
        count += 1
        do throws(LinkError) {
            try RouteOpening.check([start] + way)
            guard count <= RouteOpening.countLimit else {
                throw LinkError(
                    .tooDeep, message: "more than \(RouteOpening.countLimit) URLs are opened for \(start.escaped)")
            }
        } catch {
            throw origin.source == nil ? error : LinkError(.routeNotFound)
        }
    }

    /// - Throws: `LinkError` with code `tooDeep` if URLs lead in a circle, or too many lead to another.
    static func check(_ way: [String]) throws(LinkError) {
        let isCircle = Set(way).count < way.count
        guard isCircle || way.count > wayLimit else { return }
        let reason = isCircle ? "URLs lead in a circle: " : "too many URLs lead to another: "
        throw LinkError(.tooDeep, message: reason + way.map(\.escaped).joined(separator: " → "))
    }

    /// Refuses what closures open within each other without an end. Components are limited by the depth of their calls.
    private func checkEnclosing() throws(LinkError) {
        guard enclosing.count >= RouteOpening.countLimit else { return }
        guard origin.source == nil else { throw LinkError(.tooDeep) }
        let way = enclosing.prefix(3).map(\.escaped) + ["…"] + enclosing.suffix(3).map(\.escaped)
        throw LinkError(
            .tooDeep, message: "\(enclosing.count) URLs open each other: \(way.joined(separator: " → "))")
    }

    private func unmatched(_ url: String) throws(LinkError) -> Step {
        if let unhandled = directory.unhandled {
            let request = RouteRequest(
                url: url, pattern: "", component: "", className: "", selector: "", source: origin.source)
            return .call(.object(unhandled, selector: ""), request.payload(openedBy: enclosing))
        }
        throw notFound(url)
    }

    /// The error for a URL that leads nowhere. One from outside does not learn what exists.
    private func notFound(_ url: String) -> LinkError {
        if origin.source != nil { return LinkError(.routeNotFound) }
        let limit = directory.options.lengthLimit
        guard url.utf8.count <= limit else {
            return LinkError(.routeNotFound, message: "the URL is longer than \(limit) bytes")
        }
        if let entry = disabledOwner(of: url), let setting = entry.disabledBy {
            return LinkError(
                .routeNotFound,
                message: "no route matches \(url.quoted(limit: 200)), because \(entry.manifest.name) is disabled by "
                    + setting)
        }
        // Looking for similar routes takes a while when there are many.
        guard directory.table.count <= 1_000 else {
            return LinkError(.routeNotFound, message: "no route matches \(url.quoted(limit: 200))")
        }
        let near = directory.table.nearest(to: url, limit: 2).map(\.pattern.text)
        let hint = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
        return LinkError(.routeNotFound, message: "no route matches \(url.quoted(limit: 200))\(hint)")
    }

    /// Returns the disabled component that declares a route for a URL; nil if none does.
    private func disabledOwner(of url: String) -> Catalog.Entry? {
        let disabled = core.registry.disabledEntries
        guard !disabled.isEmpty else { return nil }
        var table = RouteTable<Catalog.Entry>(options: directory.options)
        for entry in disabled {
            for route in entry.manifest.classes.flatMap(\.selectors).flatMap(\.routes) {
                guard let pattern = try? RoutePattern(route.pattern, syntax: directory.options.syntax) else { continue }
                // Several of them may have the same route.
                _ = try? table.add(pattern, priority: route.priority, entry)
            }
        }
        return table.match(url)?.value
    }

    // MARK: Interceptors

    /// Asks the next interceptor; makes the call after the last one.
    private mutating func proceed() throws(LinkError) -> Step {
        guard let target = frame?.target else { return .done(.success(.null)) }
        if frame?.asked == 0, !target.tags.isEmpty { try checkTags(target.tags) }
        while let asked = frame?.asked, asked < directory.interceptors.count {
            frame?.asked += 1
            let interceptor = directory.interceptors[asked]
            guard interceptor.isAsked(for: target.tags) else { continue }
            if let problem = interceptor.problem {
                throw LinkError(.routeRefused, message: origin.source == nil ? problem : "")
            }
            guard let request = frame?.request(origin) else { continue }
            return .call(
                interceptor.call,
                interceptor.parameter.map { .map([($0, request.payload)]) } ?? request.payload(openedBy: enclosing))
        }
        frame?.isCalled = true
        let parameters = frame?.parameters ?? .null
        if let action = frame?.named?.url { return .perform(target: action.target, action: action.action, parameters) }
        guard case .object = target.call else { return .call(target.call, parameters) }
        return .call(target.call, frame?.request(origin).payload(openedBy: enclosing) ?? .null)
    }

    /// Refuses a route with a tag that no interceptor is responsible for.
    private func checkTags(_ tags: [String]) throws(LinkError) {
        for tag in tags where !directory.interceptors.contains(where: { $0.tags.contains(tag) }) {
            if origin.source != nil { throw LinkError(.routeRefused) }
            throw LinkError(
                .routeRefused,
                message: "the route has the tag \(tag), and no component has an interceptor for it; "
                    + "the component with the guard may be missing")
        }
    }

    private mutating func intercepted(_ outcome: Result<Payload, LinkError>) throws(LinkError) -> Step {
        let answer = try outcome.get()
        let decision: RouteDecision
        do throws(PayloadError) {
            decision = try answer.value()
        } catch {
            throw LinkError(.invalidReply, message: "an interceptor's answer is not a decision: \(error)")
        }
        switch decision {
        case .pass: return try proceed()
        case .change(let parameters):
            guard parameters.kind == .map else {
                throw LinkError(
                    .invalidReply, message: "an interceptor replaced the parameters with something other than a map")
            }
            frame?.parameters = parameters
            return try proceed()
        case .redirect(let url, let parameters):
            try note(url)
            frame = nil
            return try enter(url, parameters)
        case .openFirst(let url, let parameters):
            let way = way
            try note(url)
            if let current = frame { outer.append((current, way)) }
            frame = nil
            return try enter(url, parameters)
        case .refuse(let reason): throw LinkError(.routeRefused, message: reason)
        }
    }

    /// Returns the error for a source outside, without the URLs that its own URL has led to, or what components have.
    private func hidden(_ error: LinkError) -> LinkError {
        switch error.code {
        case .tooDeep: LinkError(.tooDeep)
        case .classNotFound where frame?.named != nil, .selectorNotFound where frame?.named != nil:
            LinkError(.routeNotFound)
        default: error
        }
    }

    // MARK: The call

    private mutating func called(_ outcome: Result<Payload, LinkError>) throws(LinkError) -> Step {
        if case .failure(let error) = outcome, error.code == .routeDeclined, frame?.target.isOwn(error) == true,
            let step = try enterNext()
        {
            return step
        }
        return try ended(outcome)
    }

    /// Goes on with the URL that waits for this one; ends if there is none.
    private mutating func ended(_ outcome: Result<Payload, LinkError>) throws(LinkError) -> Step {
        do throws(LinkError) {
            let answer = try outcome.get()
            guard !outer.isEmpty else { return .done(.success(answer)) }
        } catch {
            throw origin.source == nil ? error.noting(frame?.url ?? start) : hidden(error)
        }
        let waiting = outer.removeLast()
        frame = waiting.frame
        way = waiting.way
        return try proceed()
    }
}

extension RouteOpening.Frame {
    fileprivate func request(_ origin: RouteOrigin) -> RouteRequest {
        RouteRequest(
            url: url, pattern: target.pattern, component: target.component,
            className: named?.method?.className ?? named?.url.target ?? target.call.className,
            selector: named?.method?.selector ?? named?.url.action ?? target.call.selector,
            kind: target.kind, parameters: parameters, tags: target.tags,
            isPublic: target.access.isPublic, source: origin.source)
    }
}

extension RouteRequest {
    /// The key of the URLs whose closures an opening is part of, in what the host passes its closures.
    static let openedBy = "openedBy"

    /// Runs a closure of the program that knows which URLs have led to it.
    static func run<Value: Sendable>(
        _ request: Payload, _ body: (RouteRequest) async throws -> Value
    ) async throws -> Value {
        let way: [String] = try request[openedBy]?.value() ?? []
        var context = ServiceContext.current ?? .topLevel
        context[EnclosingURLs.self] = way
        return try await ServiceContext.withValue(context) { try await body(try request.value()) }
    }

    /// The request for a closure of the program.
    fileprivate func payload(openedBy enclosing: [String]) -> Payload {
        let way = (enclosing + [url]).map { Payload.string($0) }
        return .map(((try? payload.entries()) ?? []) + [(RouteRequest.openedBy, .array(way))])
    }
}

/// The URLs whose closures code is part of. In the service context, since what follows a call in a closure is part of
/// it, too.
private enum EnclosingURLs: ServiceContextKey {
    typealias Value = [String]
}

extension RouteTarget {
    /// Whether the route itself declined, and not another one that its method opened.
    fileprivate func isOwn(_ error: LinkError) -> Bool {
        guard case .named(let className, let selector, _) = call else { return true }
        return error.className.isEmpty
            || error.className.isExactly(className) && error.selector.isExactly(selector)
    }
}
