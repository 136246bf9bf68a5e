import CHSLink
import ComponentKit

// What keeps a component from being destroyed besides its methods: threads of its own that have entered, and work
// that it has announced.
extension HostTable {
    /// Marks this thread as inside the component.
    ///
    /// - Returns: `HSLINK_OK`; `HSLINK_LATE` when it is stopped, or `HSLINK_ERROR_TOO_DEEP` when calls are nested too deep.
    func enter() -> Int32 {
        let thread = ThreadContext.current
        let method = unsafe thread.state.pointee.isCallingObject ? ThreadContext.objectCall : 0
        guard unsafe thread.enter(runState.identity, method: method) else {
            return Int32(isClosed ? HSLINK_LATE : HSLINK_ERROR_TOO_DEEP)
        }
        if !isClosed { return Int32(HSLINK_OK) }
        _ = unsafe thread.leave(runState.identity)
        return Int32(HSLINK_LATE)
    }

    /// Takes back the newest mark of this thread. One too many would take the mark of another component.
    func leave() {
        if unsafe ThreadContext.current.leave(runState.identity) { return }
        log("left more often than it had entered on this thread; ignored")
    }

    /// Counts work that goes on after its method has returned; false when the component is stopped.
    func beginWork() -> Bool { unsafe runState.beginWork() }

    func endWork() {
        if unsafe !runState.endWork() { log("ended more work than it had begun; ignored") }
    }

    private func log(_ message: String) { core.options.log(.warning, message, component: unit.name) }
}
