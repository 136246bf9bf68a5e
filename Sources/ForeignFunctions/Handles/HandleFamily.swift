import CFFI
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
    fileprivate func tryEnter(_ thread: UInt, _ wakeup: Wakeup, isWaiting: Bool) -> Bool {
        state.withLock { state in
            state.wakeups.removeAll { $0 === wakeup }
            if state.enter(thread) { return true }
            if isWaiting { state.wakeups.append(wakeup) }
            return false
        }
    }

    /// The thread of this wakeup gives up. If it was just woken, the next one is woken in its place.
    fileprivate func forget(_ wakeup: Wakeup) {
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

/// Which thread waits for which family. Threads that need not wait do not come here.
///
/// Before a thread waits it follows this table: from the family to the thread inside of it, from there to the family
/// which that thread waits for, and so on. If that leads back to itself, all of them would wait for ever, and its call
/// is refused. The last thread of a cycle always finds it, since a thread that waits leaves no family meanwhile.
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

    fileprivate static var currentThread: UInt { UInt(pthread_self()) }

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

    /// Waits for a wakeup that the thread inside of a family will ring. This wait cannot fail: if the other thread
    /// waits for this one, the call of the other one does.
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

/// What is left of a handle of which the last reference has gone: enough to release it, on whichever thread.
///
/// It has what C may still use meanwhile: the memory of a struct, closures, and the handle that it keeps.
@safe
// Unchecked: nothing of it changes, and one thread runs it, once.
final class HandleRelease: @unchecked Sendable {
    private let pointer: UnsafeMutableRawPointer
    private let function: UnsafeRawPointer?
    private let parent: ForeignHandle?
    private let memory: UnsafeMutableRawPointer?
    private let callbacks: [ForeignClosure]

    /// - Parameters:
    ///   - function: takes the pointer; nil when there is none.
    ///   - parent: the handle that it keeps until then.
    ///   - memory: freed afterwards.
    ///   - callbacks: stay until then.
    init(
        _ pointer: UnsafeMutableRawPointer, _ function: UnsafeRawPointer?, parent: ForeignHandle?,
        memory: UnsafeMutableRawPointer?, callbacks: [ForeignClosure]
    ) {
        unsafe self.pointer = unsafe pointer
        unsafe self.function = unsafe function
        self.parent = parent
        unsafe self.memory = unsafe memory
        self.callbacks = callbacks
    }

    deinit { unsafe free(memory) }

    /// Inside of its family.
    func run() {
        unsafe HandleRelease.give(pointer, to: function, parent)
        parent?.isKeptNoLonger()
    }

    /// What it keeps is in use meanwhile: C may call back.
    static func give(_ pointer: UnsafeMutableRawPointer, to function: UnsafeRawPointer?, _ parent: ForeignHandle?) {
        guard let function = unsafe function else { return }
        parent?.beginUse()
        defer { parent?.endUse() }
        unsafe hslink_ffi_release(function, pointer)
    }
}
