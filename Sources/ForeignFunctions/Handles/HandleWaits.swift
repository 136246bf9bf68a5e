import ComponentKit
import Glibc

/// Which thread waits for which family. Threads that need not wait do not come here.
///
/// Before a thread waits it follows this table: from the family to the thread inside of it, from there to the family
/// which that thread waits for, and so on. If that leads back to itself, all of them would wait for ever, and its call is
/// refused. The last thread of a cycle always finds it, since a thread that waits leaves no family meanwhile.
enum HandleWaits {
    private struct Wait {
        let family: HandleFamily
        let wakeup: Wakeup
        /// Whether it can end with an error.
        let isRefusable: Bool
        var isRefused = false
    }

    /// By thread.
    private static let waits = Lock<[UInt: Wait]>([:])

    static var currentThread: UInt { UInt(pthread_self()) }

    /// Enters a family that another thread is inside of.
    ///
    /// - Throws: ``ComponentKit/LinkError/Code/wouldDeadlock`` when that thread waits for this one.
    static func enter(_ family: HandleFamily, _ thread: UInt) throws(LinkError) {
        let wakeup = Wakeup()
        while try waits.withLock({ waits throws(LinkError) in
            let isRefused = waits.removeValue(forKey: thread)?.isRefused ?? false
            if family.tryEnter(thread, wakeup, isWaiting: false) { return false }
            guard !isRefused, !leadsBack(family, to: thread, waits) else {
                family.forget(wakeup)
                throw LinkError(
                    .wouldDeadlock,
                    message: "another thread works with the handle, and waits for a handle that this thread works with")
            }
            if family.tryEnter(thread, wakeup, isWaiting: true) { return false }
            waits[thread] = Wait(family: family, wakeup: wakeup, isRefusable: true)
            return true
        }) { wakeup.wait() }
    }

    /// Waits for a wakeup that the thread inside of a family will ring. This wait cannot fail: if the other thread waits
    /// for this one, the call of the other one does.
    static func wait(for wakeup: Wakeup, from family: HandleFamily) {
        let thread = currentThread
        waits.withLock { waits in
            let others = threads(from: family, waits)
            waits[thread] = Wait(family: family, wakeup: wakeup, isRefusable: false)
            // One at least of a cycle waits for a call and not for the end of something lent: each of those was lent
            // before the call that uses it began.
            guard let end = others.firstIndex(of: thread),
                let refused = others[..<end].first(where: { waits[$0]?.isRefusable == true })
            else { return }
            waits[refused]?.isRefused = true
            waits[refused]?.wakeup.wake()
        }
        wakeup.wait()
        waits.withLock { $0[thread] = nil }
    }

    private static func leadsBack(_ family: HandleFamily, to thread: UInt, _ waits: [UInt: Wait]) -> Bool {
        threads(from: family, waits).contains(thread)
    }

    /// The thread that is inside of a family, the one for which it waits, and so on; ends with one that does not wait.
    private static func threads(from family: HandleFamily, _ waits: [UInt: Wait]) -> [UInt] {
        var found: [UInt] = []
        var family = family
        while true {
            let owner = family.owner
            guard owner != 0, !found.contains(owner) else { return found }
            found.append(owner)
            guard let wait = waits[owner], !wait.isRefused else { return found }
            family = wait.family
        }
    }
}
