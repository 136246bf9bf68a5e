package import ComponentKit

extension LinkHost {
    /// Makes a call for a thread that must not block, as an event loop: in place where nothing in it can block,
    /// which are quick methods of classes in memory whose instance is made; else on a thread of the host.
    package func beginWithoutBlocking(
        _ target: CallTarget, _ payload: Payload, _ deadline: Deadline?
    ) -> BegunCall {
        core.begin(target, payload, .onHostThread(deadline, callerSleeps: false))
    }

    /// Ends a call as cancelled; no effect once it has ended. Its method is told on another thread.
    package func cancel(_ call: CallIdentifier) {
        let callers = core.engine.callers
        PendingReply(identifier: call)?.end(with: LinkError(.cancelled), tell: { callers.submit($0) })
    }
}
