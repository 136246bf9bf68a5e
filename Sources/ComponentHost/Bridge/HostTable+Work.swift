import ComponentKit

// What keeps a component from being destroyed besides its methods: threads of its own that have entered, and work
// that it has announced.
extension HostTable {
    /// Marks this thread as inside the component; false when that is stopped, or calls are nested too deep.
    func enter() -> Bool {
        let thread = ThreadContext.current
        guard unsafe thread.enter(runState.identity) else { return false }
        if !isClosed { return true }
        _ = unsafe thread.leave(runState.identity)
        return false
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
