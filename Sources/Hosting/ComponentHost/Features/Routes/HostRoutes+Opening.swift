import ComponentCatalog
import ComponentKit
import Routing

// Carries out the steps of an opening, in the three ways in which calls are made.
extension HostRoutes {
    /// Returns an opening, or the error of a source that may not open anything.
    private func opening(
        _ url: String, _ payload: Payload, from origin: RouteOrigin
    ) throws(LinkError) -> RouteOpening {
        if let source = origin.source, !feature.options.remoteSources.contains(source) {
            throw LinkError(.routeNotFound)
        }
        return RouteOpening(core, feature.registry.snapshot.value, url: url, payload: payload, from: origin)
    }

    /// Opens a URL and blocks this thread until it has been opened.
    func openAndWait(
        _ url: String, _ payload: Payload, from origin: RouteOrigin, deadline: Deadline?
    ) throws(LinkError) -> Payload {
        guard deadline == nil, origin.source == nil, payload.isNull else {
            return try openAndWait(opening(url, payload, from: origin), outcome: nil, deadline: deadline)
        }
        let directory = feature.registry.snapshot.value
        guard let route = try directory.directRoute(for: url) else {
            return try openAndWait(
                RouteOpening(core, directory, url: url, payload: payload, from: origin), outcome: nil, deadline: nil)
        }
        do throws(LinkError) {
            return try core.callAndWait(
                route.className, route.selector, kind: route.kind, payload: route.parameters)
        } catch {
            guard error.code == .routeDeclined else { throw error.noting(url) }
            return try openAndWait(
                RouteOpening(core, directory, url: url, after: route), outcome: .failure(error), deadline: nil)
        }
    }

    /// Carries out an opening.
    ///
    /// - Parameter outcome: the outcome of the call that has been made for it; nil if none has.
    private func openAndWait(
        _ opening: RouteOpening, outcome: Result<Payload, LinkError>?, deadline: Deadline?
    ) throws(LinkError) -> Payload {
        var opening = opening
        var step = opening.next(outcome)
        let mode = deadline.map { CallMode.onHostThread($0, callerSleeps: true) } ?? .inPlace(callerSleeps: true)
        while true {
            if case .done(let outcome) = step { return try outcome.get() }
            if deadline == nil, case .call(.named(let className, let selector, let kind), let payload) = step {
                step = opening.next(
                    Result { () throws(LinkError) in
                        try core.callAndWait(className, selector, kind: kind, payload: payload)
                    })
            } else {
                let current = step
                step = opening.next(Result { () throws(LinkError) in try core.begin(current, mode).wait() })
            }
        }
    }

    /// Opens a URL and suspends until it has been opened. Cancelling the task cancels the call that is being made.
    func openAndAwait(
        _ url: String, _ payload: Payload, from origin: RouteOrigin, deadline: Deadline?
    ) async throws(LinkError) -> Payload {
        var opening = try opening(url, payload, from: origin)
        var step = opening.next()
        while true {
            if case .done(let outcome) = step { return try outcome.get() }
            let current = step
            let mode = CallMode.onHostThread(deadline, callerSleeps: false)
            step = opening.next(await awaitCall(cancel: core.cancel) { core.begin(current, mode) })
        }
    }

    /// Opens a URL and passes the outcome to `completion`, exactly once.
    func open(
        _ url: String, _ payload: Payload, from origin: RouteOrigin, mode: CallMode, completion: CallCompletion
    ) {
        do throws(LinkError) {
            core.drive(try opening(url, payload, from: origin), outcome: nil, mode: mode, completion: completion)
        } catch {
            completion.fail(error)
        }
    }
}

extension HostCore {
    /// Makes the call of a step.
    fileprivate func begin(_ step: RouteOpening.Step, _ mode: CallMode) -> BegunCall {
        switch step {
        case .done(let outcome): .ended(outcome)
        case .call(let target, let payload): begin(target, payload, mode: mode)
        case .perform(let target, let action, let payload): perform(target, action, payload: payload, mode: mode)
        }
    }

    /// Carries out an opening and passes the outcome to `completion`, exactly once.
    ///
    /// - Parameter outcome: the outcome of the call that has been made for it; nil if none has.
    fileprivate func drive(
        _ opening: RouteOpening, outcome: Result<Payload, LinkError>?, mode: CallMode, completion: CallCompletion
    ) {
        var opening = opening
        var outcome = outcome
        while true {
            let step = opening.next(outcome)
            if case .done(let result) = step { return completion.finish(result) }
            switch begin(step, mode) {
            case .ended(let ended): outcome = ended
            case .runs(let whenDone):
                let waiting = opening
                _ = whenDone(.outcome { [self] in drive(waiting, outcome: $0, mode: mode, completion: completion) })
                return
            }
        }
    }

    /// Returns the parameters of the method that answers to an action; nil if it reads its payload itself, or there is
    /// none.
    func parameters(of action: TargetActionURL) -> [RouteParameter]? {
        guard case .named(let className, let selector, let kind)? = resolve(action.target, action.action),
            let listed = registry.listed(className),
            let declaration = listed.entry.declaration.selector(selector, kind), !declaration.parameters.isEmpty
        else { return nil }
        return declaration.parameters.map { RouteParameter($0, models: listed.unit.manifest.models) }
    }
}
