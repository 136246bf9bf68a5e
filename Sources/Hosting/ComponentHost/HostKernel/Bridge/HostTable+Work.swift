import CHSLink
import ComponentKit

// Apart from methods, two things keep a component from being destroyed: threads of its own that have entered, and work
// that it has announced.
extension HostTable {
    /// Marks this thread as running in the component.
    ///
    /// - Returns: `HSLINK_OK`; `HSLINK_LATE` if the component is stopped; `HSLINK_ERROR_TOO_DEEP` if calls are nested
    ///   too deeply.
    func enter() -> Int32 {
        let thread = ThreadContext.current
        let method = unsafe thread.state.pointee.running.isCallingObject ? ThreadContext.objectCall : 0
        guard unsafe thread.enter(runState.identity, method: method) else {
            return Int32(isClosed ? HSLINK_LATE : HSLINK_ERROR_TOO_DEEP)
        }
        if !isClosed { return Int32(HSLINK_OK) }
        _ = unsafe thread.leave(runState.identity)
        return Int32(HSLINK_LATE)
    }

    /// Removes this thread's newest mark. An unmatched call is ignored, since it would remove another component's
    /// mark.
    func leave() {
        if unsafe ThreadContext.current.leave(runState.identity) { return }
        log("called leave more often than enter on this thread; ignored")
    }

    /// Counts work that continues after its method has returned. Returns false if the component is stopped.
    func beginWork() -> Bool { unsafe runState.beginWork() }

    func endWork() {
        if unsafe !runState.endWork() { log("called end_work more often than begin_work; ignored") }
    }

    private func log(_ message: String) { core.options.log(.warning, message, component: unit.name) }
}
