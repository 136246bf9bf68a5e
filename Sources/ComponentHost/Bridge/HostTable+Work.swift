import ComponentKit
import Synchronization

// What keeps a component from being destroyed besides its methods: threads of its own that have entered, and work
// that it has announced.
extension HostTable {
    /// Marks this thread as inside the component; false when that is stopped.
    func enter() -> Bool {
        let thread = CallThread.current
        unsafe thread.enter(cell.identity)
        if !isClosed { return true }
        thread.leave()
        return false
    }

    /// Takes back the newest mark of this thread. One too many would take the mark of somebody else.
    func leave() {
        if unsafe CallThread.current.leave(cell.identity) { return }
        core.log(.warning, "left more often than it had entered on this thread; ignored", component: unit.name)
    }

    /// Counts work that goes on after its method has returned; false when the component is stopped.
    ///
    /// Counted first and looked at afterwards: either this sees the stop, or the stop sees the work.
    func beginWork() -> Bool {
        unsafe cell.pointee.work.add(1, ordering: .sequentiallyConsistent)
        if !isClosed { return true }
        _ = endCountedWork()
        return false
    }

    func endWork() {
        if endCountedWork() { return }
        core.log(.warning, "ended more work than it had begun; ignored", component: unit.name)
    }

    /// - Returns: false when none is counted.
    private func endCountedWork() -> Bool {
        var count = unsafe cell.pointee.work.load(ordering: .relaxed)
        while count > 0 {
            let (exchanged, original) = unsafe cell.pointee.work.compareExchange(
                expected: count, desired: count - 1, ordering: .sequentiallyConsistent)
            if exchanged { return true }
            count = original
        }
        return false
    }
}
