import ComponentKit
import Glibc

/// Handles that belong together: one thread at a time works with them, since C libraries rarely expect more.
///
/// A thread enters the families of a call's handles before C is given them, and leaves them when C has returned. While
/// it is inside it may enter again, from a callback. These rules keep threads from waiting for each other for ever:
///
/// 1. No lock is held while C or an author's code runs. The ``Lock`` of a handle, of a family and of ``HandleWaits``
///    guards a few words; nothing is called or destroyed under it. What lasts as long as a call is the ownership of a
///    family, and that is one of these words.
/// 2. A call enters its families in one order, so calls without callbacks never wait in a cycle.
/// 3. Callbacks run while their thread owns families, and may call with handles of any other. Before a thread waits, it
///    checks whether the thread that it would wait for waits for it. If so its call fails, see ``HandleWaits``.
/// 4. A release never waits. A last reference may go anywhere: in a callback, in another release, in code that no error
///    can reach. If another thread owns the family, that thread does the release when it leaves.
/// 5. What a released handle has kept (closures, the handle that it belongs to) is dropped after the family was left:
///    that may end the last reference to anything.
final class HandleFamily: Sendable {
    private struct State {
        /// The thread that is inside; 0 for none.
        var owner: UInt = 0
        /// How often it has entered.
        var depth = 0
        /// Of the threads that wait, the first one first.
        var wakeups: [Wakeup] = []
        /// What other threads released while the owner was inside.
        var releases: [HandleRelease] = []

        mutating func enter(_ thread: UInt) -> Bool {
            guard owner == 0 || owner == thread else { return false }
            owner = thread
            depth += 1
            return true
        }

        /// Wakes the thread that has waited longest. It has to try again: another one may be quicker.
        mutating func wakeNext() {
            if owner == 0, !wakeups.isEmpty { wakeups.removeFirst().wake() }
        }
    }

    private let state = Lock(State())

    /// The thread that is inside; 0 for none.
    var owner: UInt { state.withLock { $0.owner } }

    /// Its place in the order in which several are entered.
    var place: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

    /// Waits for the thread that is inside.
    ///
    /// - Throws: ``ComponentKit/LinkError/Code/wouldDeadlock`` when that one waits for this thread.
    func enter() throws(LinkError) {
        let thread = HandleWaits.currentThread
        if state.withLock({ $0.enter(thread) }) { return }
        try HandleWaits.enter(self, thread)
    }

    /// Does the releases that other threads have left to this one, then lets the next thread in.
    func leave() {
        var released: [HandleRelease] = []
        while let release = nextRelease() {
            release.run()
            released.append(release)
        }
        extendLifetime(released)
    }

    /// - Returns: what the thread has to do before it leaves; nil when it has left, or is still inside an outer call.
    private func nextRelease() -> HandleRelease? {
        state.withLock { state in
            if state.depth == 1, !state.releases.isEmpty { return state.releases.removeFirst() }
            state.depth -= 1
            if state.depth == 0 {
                state.owner = 0
                state.wakeNext()
            }
            return nil
        }
    }

    /// Releases a handle inside of the family: now, or when the thread that is inside leaves. Never waits.
    func release(_ release: HandleRelease) {
        let thread = HandleWaits.currentThread
        let isInside = state.withLock { state in
            if state.enter(thread) { return true }
            state.releases.append(release)
            return false
        }
        guard isInside else { return }
        release.run()
        leave()
        extendLifetime(release)
    }

    // MARK: For threads that wait

    /// Enters if no other thread is inside.
    ///
    /// - Parameter wakeup: of this thread, no longer rung when it has entered.
    /// - Returns: whether it has entered. If not, and `isWaiting`, the wakeup rings when the owner leaves.
    func tryEnter(_ thread: UInt, _ wakeup: Wakeup, isWaiting: Bool) -> Bool {
        state.withLock { state in
            state.wakeups.removeAll { $0 === wakeup }
            if state.enter(thread) { return true }
            if isWaiting { state.wakeups.append(wakeup) }
            return false
        }
    }

    /// The thread of this wakeup gives up. If it was just woken, the next one is woken in its place.
    func forget(_ wakeup: Wakeup) {
        state.withLock { state in
            state.wakeups.removeAll { $0 === wakeup }
            state.wakeNext()
        }
    }
}

/// Wakes one thread. Rung before that thread waits, it is heard all the same.
@safe
// Unchecked: a semaphore is for all threads.
final class Wakeup: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe semaphore.initialize(to: sem_t())
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    func wake() { unsafe sem_post(semaphore) }

    /// A signal may interrupt the wait.
    func wait() { while unsafe sem_wait(semaphore) != 0 {} }
}
