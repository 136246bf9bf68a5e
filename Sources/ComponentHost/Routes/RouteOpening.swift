import ComponentKit
import Routing
import SystemSupport

/// The opening of a URL, as a sequence of calls: those of the interceptors and of other URLs that they want opened, then
/// that of the selector, and of further ones while they decline.
///
/// It makes no call itself. Whoever drives it makes each call as its own caller wants it, whether waiting, suspending or
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
        /// What the caller passes beside the URL.
        let payload: Payload
        var matches: MatchQueue
        var target: RouteTarget
        var parameters: Payload
        /// The number of interceptors that have been asked, or do not need to be.
        var asked = 0
        var isCalled = false
        /// What the URL names instead of a route.
        var action: TargetActionURL?
        /// The method that answers to it; nil if there is none.
        var method: CallTarget?
    }

    private let core: HostCore
    private let directory: RouteDirectory
    private let origin: RouteOrigin
    /// The URL that is being opened; nil before the first step, and while nothing matches.
    private var frame: Frame?
    /// The URLs that wait until another one has been opened.
    private var outer: [(frame: Frame, way: [String])] = []
    /// The URLs that led to the one that is being opened, to find those that lead in a circle.
    private var way: [String]
    private let first: Payload

    /// The number of URLs that may lead to another.
    static let wayLimit = 16
    /// The number of URLs that may be opened for one, also one after another.
    private static let countLimit = 64
    private var count = 0

    init(_ core: HostCore, _ url: String, _ payload: Payload, _ origin: RouteOrigin) {
        self.core = core
        directory = core.routes.snapshot.value
        self.origin = origin
        first = payload
        way = [url]
    }

    /// Returns what to do next.
    ///
    /// - Parameter outcome: the outcome of the call that the last step asked for; nil for the first step.
    mutating func next(_ outcome: Result<Payload, LinkError>? = nil) -> Step {
        do throws(LinkError) {
            guard let outcome else { return try begin(way[0], first) }
            // Nothing matched, and the closure for that has answered.
            guard frame != nil else { return try ended(outcome) }
            return try frame?.isCalled == true ? called(outcome) : intercepted(outcome)
        } catch {
            return .done(.failure(error))
        }
    }

    // MARK: Finding the route

    private mutating func begin(_ url: String, _ payload: Payload) throws(LinkError) -> Step {
        let url = try redirected(url)
        guard payload.isNull || payload.kind == .map else {
            throw LinkError(.payloadMismatch, message: "what is passed beside a URL must be a map or nothing")
        }
        var matches = MatchQueue(directory.table, url, origin)
        guard let match = matches.next() else { return try unmatched(url) }
        return try enter(match, matches, url, payload)
    }

    private mutating func enter(
        _ match: RouteMatch<RouteTarget>, _ matches: MatchQueue, _ url: String, _ payload: Payload
    ) throws(LinkError) -> Step {
        do throws(LinkError) {
            frame = try makeFrame(match, matches, url, payload)
        } catch {
            let call = match.value.call
            throw error.naming(
                className: call.className, selector: call.selector, component: match.value.component)
        }
        return try proceed()
    }

    private func makeFrame(
        _ match: RouteMatch<RouteTarget>, _ matches: MatchQueue, _ url: String, _ payload: Payload
    ) throws(LinkError) -> Frame {
        let options = directory.table.options
        guard match.value.isTargetAction else {
            let parameters = try match.payload(payload, options, of: match.value.parameters)
            return Frame(url: url, payload: payload, matches: matches, target: match.value, parameters: parameters)
        }
        let named: TargetActionURL?
        do throws(RouteURLError) {
            named = try TargetActionURL(url, options)
        } catch {
            throw LinkError(.payloadMismatch, message: "\(error)")
        }
        // The host's own classes open URLs as ones from inside.
        guard let action = named, !action.target.lowercased().hasPrefix("hslink.") else {
            throw LinkError(.routeNotFound, message: "\(url.quoted(limit: 200)) names no target and action")
        }
        let parameters = try match.payload(payload, options, of: core.parameters(of: action), withoutPath: true)
        var frame = Frame(url: url, payload: payload, matches: matches, target: match.value, parameters: parameters)
        frame.action = action
        frame.method = core.resolve(action.target, action.action)
        return frame
    }

    /// Follows the redirects of the host.
    private mutating func redirected(_ url: String) throws(LinkError) -> String {
        guard directory.redirects.count > 0 else { return url }
        do throws(LinkError) {
            for url in try directory.redirected(url).dropFirst() { try note(url) }
        } catch {
            // The URLs on the way are nobody's business outside.
            throw origin.source == nil ? error : LinkError(.routeNotFound)
        }
        return way[way.count - 1]
    }

    /// Adds a URL to the way.
    private mutating func note(_ url: String) throws(LinkError) {
        way.append(url)
        count += 1
        do throws(LinkError) {
            try RouteOpening.check(way)
            guard count <= RouteOpening.countLimit else {
                throw LinkError(
                    .tooDeep, message: "more than \(RouteOpening.countLimit) URLs are opened for \(way[0].escaped)")
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

    private func unmatched(_ url: String) throws(LinkError) -> Step {
        if let unhandled = directory.unhandled {
            let request = RouteRequest(
                url: url, pattern: "", component: "", className: "", selector: "", source: origin.source)
            return .call(.object(unhandled, selector: ""), request.payload)
        }
        throw RouteOpening.notFound(url, in: directory, origin)
    }

    /// The error for a URL that leads nowhere. One from outside does not learn what exists.
    static func notFound(_ url: String, in directory: RouteDirectory, _ origin: RouteOrigin) -> LinkError {
        if origin.source != nil { return LinkError(.routeNotFound) }
        let limit = directory.table.options.lengthLimit
        guard url.utf8.count <= limit else {
            return LinkError(.routeNotFound, message: "the URL is longer than \(limit) bytes")
        }
        // Looking for similar routes takes a while when there are many.
        guard directory.table.count <= 1_000 else {
            return LinkError(.routeNotFound, message: "no route matches \(url.quoted(limit: 200))")
        }
        let near = directory.table.nearest(to: url, limit: 2).map(\.pattern.text)
        let hint = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
        return LinkError(.routeNotFound, message: "no route matches \(url.quoted(limit: 200))\(hint)")
    }

    // MARK: Interceptors

    /// Asks the next interceptor; makes the call after the last one.
    private mutating func proceed() throws(LinkError) -> Step {
        guard let current = frame else { return .done(.success(.null)) }
        let tags = current.target.tags
        if current.asked == 0, !tags.isEmpty { try checkTags(tags) }
        while let asked = frame?.asked, asked < directory.interceptors.count {
            frame?.asked += 1
            let interceptor = directory.interceptors[asked]
            guard interceptor.isAsked(for: tags) else { continue }
            if let problem = interceptor.problem {
                throw LinkError(.routeRefused, message: origin.source == nil ? problem : "")
            }
            let request = current.request(origin, frame?.parameters ?? .null)
            return .call(
                interceptor.call, interceptor.parameter.map { .map([($0, request.payload)]) } ?? request.payload)
        }
        frame?.isCalled = true
        if let action = current.action {
            return .perform(target: action.target, action: action.action, frame?.parameters ?? .null)
        }
        guard case .object = current.target.call else {
            return .call(current.target.call, frame?.parameters ?? .null)
        }
        return .call(current.target.call, current.request(origin, frame?.parameters ?? .null).payload)
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
            throw LinkError(.invalidReply, message: "an interceptor's answer is no decision: \(error)")
        }
        switch decision {
        case .pass: return try proceed()
        case .change(let parameters):
            guard parameters.kind == .map else {
                throw LinkError(
                    .invalidReply, message: "an interceptor changed the parameters to something that is no map")
            }
            frame?.parameters = parameters
            return try proceed()
        case .redirect(let url, let parameters):
            try note(url)
            frame = nil
            return try begin(url, parameters)
        case .openFirst(let url, let parameters):
            let way = way
            try note(url)
            if let current = frame { outer.append((current, way)) }
            frame = nil
            return try begin(url, parameters)
        case .refuse(let reason): throw LinkError(.routeRefused, message: reason)
        }
    }

    // MARK: The call

    private mutating func called(_ outcome: Result<Payload, LinkError>) throws(LinkError) -> Step {
        if case .failure(let error) = outcome, error.code == .routeDeclined, var current = frame,
            current.target.isOwn(error), let match = current.matches.next()
        {
            return try enter(match, current.matches, current.url, current.payload)
        }
        return try ended(outcome)
    }

    /// Goes on with the URL that waits for this one; ends if there is none.
    private mutating func ended(_ outcome: Result<Payload, LinkError>) throws(LinkError) -> Step {
        guard let waiting = outer.popLast() else { return .done(outcome) }
        _ = try outcome.get()
        frame = waiting.frame
        way = waiting.way
        return try proceed()
    }
}

extension RouteOpening.Frame {
    fileprivate func request(_ origin: RouteOrigin, _ parameters: Payload) -> RouteRequest {
        RouteRequest(
            url: url, pattern: target.pattern, component: target.component,
            className: method?.className ?? action?.target ?? target.call.className,
            selector: method?.selector ?? action?.action ?? target.call.selector,
            kind: target.kind, parameters: parameters, tags: target.tags,
            isPublic: target.isPublic, source: origin.source)
    }
}

/// The routes that match a URL, best first. The others are only looked for when the best one declines.
private struct MatchQueue {
    private let table: RouteTable<RouteTarget>
    private let url: String
    private let origin: RouteOrigin
    private var others: [RouteMatch<RouteTarget>]?
    private var count = 0

    init(_ table: RouteTable<RouteTarget>, _ url: String, _ origin: RouteOrigin) {
        self.table = table
        self.url = url
        self.origin = origin
    }

    mutating func next() -> RouteMatch<RouteTarget>? {
        defer { count += 1 }
        if count == 0, origin.source == nil { return table.match(url) }
        let matches = others ?? table.matches(url).filter { origin.mayOpen($0.value) }
        others = matches
        return count < matches.count ? matches[count] : nil
    }
}

extension RouteTarget {
    /// Whether the route itself declined, and not another one that its method opened.
    fileprivate func isOwn(_ error: LinkError) -> Bool {
        guard case .named(let className, let selector, _) = call else { return true }
        return error.className.isEmpty || error.className == className && error.selector == selector
    }
}
