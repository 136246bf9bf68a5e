import ComponentKit
import Routing

// Carries out the steps of an opening, in the three ways in which calls are made.
extension HostCore {
    /// Returns an opening, or the error of a source that may not open anything.
    private func opening(_ url: String, _ payload: Payload, _ origin: RouteOrigin) throws(LinkError) -> RouteOpening {
        if let source = origin.source, !options.routes.remoteSources.contains(source) {
            throw LinkError(.routeNotFound)
        }
        return RouteOpening(routes.snapshot.value, url, payload, origin)
    }

    /// Opens a URL and blocks this thread until it has been opened.
    func openAndWait(
        _ url: String, _ payload: Payload, _ origin: RouteOrigin, _ deadline: Deadline?
    ) throws(LinkError) -> Payload {
        var opening = try opening(url, payload, origin)
        var step = opening.next()
        while case .call(let target, let payload) = step {
            step = opening.next(callAndWait(target, payload, deadline))
        }
        guard case .done(let outcome) = step else { throw LinkError(.noReply) }
        return try outcome.get()
    }

    private func callAndWait(
        _ target: CallTarget, _ payload: Payload, _ deadline: Deadline?
    ) -> Result<Payload, LinkError> {
        Result { () throws(LinkError) in
            if deadline == nil, case .named(let className, let selector, let kind) = target {
                return try callAndWait(className, selector, kind, payload)
            }
            return try begin(
                target, payload,
                deadline.map { .onHostThread($0, callerSleeps: true) } ?? .inPlace(callerSleeps: true)
            ).wait()
        }
    }

    /// Opens a URL and suspends until it has been opened. Cancelling the task cancels the call that is being made.
    func openAndAwait(
        _ url: String, _ payload: Payload, _ origin: RouteOrigin, _ deadline: Deadline?
    ) async throws(LinkError) -> Payload {
        var opening = try opening(url, payload, origin)
        var step = opening.next()
        while case .call(let target, let payload) = step {
            let outcome = await awaitCall(cancel: cancel) {
                begin(target, payload, .onHostThread(deadline, callerSleeps: false))
            }
            step = opening.next(outcome)
        }
        guard case .done(let outcome) = step else { throw LinkError(.noReply) }
        return try outcome.get()
    }

    /// Opens a URL and passes the outcome to `completion`, exactly once.
    func open(
        _ url: String, _ payload: Payload, _ origin: RouteOrigin, _ mode: CallMode, _ completion: CallCompletion
    ) {
        do throws(LinkError) {
            drive(try opening(url, payload, origin), nil, mode, completion)
        } catch {
            completion.fail(error)
        }
    }

    private func drive(
        _ opening: RouteOpening, _ outcome: Result<Payload, LinkError>?, _ mode: CallMode, _ completion: CallCompletion
    ) {
        var opening = opening
        var outcome = outcome
        while true {
            switch opening.next(outcome) {
            case .done(let result): return completion.finish(result)
            case .call(let target, let payload):
                switch begin(target, payload, mode) {
                case .ended(let ended): outcome = ended
                case .runs(let whenDone):
                    let waiting = opening
                    _ = whenDone(.outcome { [self] in drive(waiting, $0, mode, completion) })
                    return
                }
            }
        }
    }
}
