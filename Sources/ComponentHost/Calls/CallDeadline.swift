import ComponentKit

extension CallEngine {
    /// Ends the call with ``LinkError/Code/deadlineExceeded`` when its deadline passes. The method keeps running: its
    /// reply goes to nobody.
    ///
    /// - Parameter unit: the component that has the method; told that nobody waits for its reply.
    /// - Returns: the timer's item, to be cancelled when the call ends earlier.
    func expire(_ pending: PendingReply, of unit: ComponentUnit?, at deadline: Deadline) -> DeadlineTimer.Item {
        timer.schedule(deadline) { [self] in
            // The timer's thread runs no author's code: cancellation handlers are handed over.
            pending.end(with: LinkError(.deadlineExceeded), notify: { self.notify($0, of: unit) })
        }
    }
}
