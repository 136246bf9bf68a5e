package import ComponentKit

extension LinkHost {
    /// Makes a call for a thread that must not block, as an event loop: in place where nothing in it can block,
    /// which are quick methods of classes in memory whose instance is made; else on a thread of the host.
    package func beginWithoutBlocking(
        _ target: CallTarget, _ payload: Payload, _ deadline: Deadline?
    ) -> BegunCall {
        core.begin(target, payload, .onHostThread(deadline, callerSleeps: false))
    }

    /// Has the methods of a class's component run on threads of the host from now on, also those that say they are quick: one
    /// of them has blocked.
    package func distrustQuickMethods(ofComponentOf className: String) {
        guard case .loaded(let linkClass) = core.registry.find(className) else { return }
        unsafe linkClass.takeUnretainedValue().runState.setSlow()
    }

    /// Ends a call as cancelled; no effect once it has ended. Its method is told on another thread.
    package func cancel(_ call: CallIdentifier) {
        guard let pending = PendingReply(identifier: call) else { return }
        pending.end(with: LinkError(.cancelled)) { [core] handler in
            // Looking for the component takes a lock.
            core.engine.callers.submit {
                let unit = core.registry.all.first { $0.ledger.index == pending.ledger }
                core.engine.notify(handler, of: unit)
            }
        }
    }
}
