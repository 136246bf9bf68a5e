import ComponentKit

extension CallEngine {
    /// Ends the call with ``LinkError/Code/deadlineExceeded`` when its deadline passes. The method keeps running, and
    /// its reply is discarded. A call whose deadline has already passed is refused where it begins: in
    /// ``CallEngine/beginOnHostThread``, ``HostCore/begin`` or ``BoundObject``.
    ///
    /// - Parameter unit: the component that has the method. It is notified that the call has ended.
    /// - Returns: The timer item; cancel it if the call ends earlier.
    func expire(_ pending: PendingReply, of unit: ComponentUnit?, at deadline: Deadline) -> DeadlineTimer.Item {
        timer.schedule(deadline) { [self] in
            // The timer's thread never runs an author's code, so cancellation handlers run on another thread.
            pending.end(with: LinkError(.deadlineExceeded), notify: { self.notify($0, of: unit) })
        }
    }
}
