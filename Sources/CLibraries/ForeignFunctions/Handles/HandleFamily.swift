import CFFI
import ComponentKit
import Glibc

/// A group of related handles, which only one thread at a time may use, because C libraries rarely support more.
///
/// A thread enters the families of a call's handles before it passes them to C, and leaves them when C has returned.
/// While it owns a family, it may enter it again from a callback. These rules prevent deadlocks:
///
/// 1. No lock is held while C or an author's code runs. The locks of a handle, of a family and of
///    ``HandleWaits`` guard only bookkeeping: no C or author's code is called, and nothing is destroyed, under them. The
///    ownership of a family lasts as long as a call, and is part of this bookkeeping.
/// 2. A call enters its families in a fixed order, so calls without callbacks never wait in a cycle.
/// 3. Callbacks run while their thread owns families, and may make calls with handles of any other family. Before a
///    thread waits, it checks whether the owner is itself waiting, directly or through other threads, for this thread.
///    If so, one call in the cycle fails; see ``HandleWaits``.
/// 4. A release never waits. The last reference may be dropped anywhere: in a callback, in another release, in code
///    that cannot receive an error. If another thread owns the family, that thread performs the release when it leaves.
/// 5. The dependencies of a released handle (closures, its parent handle) are dropped after the release has left the
///    family, because this may drop the last reference to any object. In a nested release, the thread still owns it.
///
/// Families become one when a handle of one is kept by, or taken over by, a handle of another.
final class HandleFamily: Sendable {
    private struct State {
        /// The thread that owns the family; 0 for none.
        var owner: UInt = 0
        /// How many times the owner has entered and not yet left.
        var depth = 0
        /// The wakeups of the waiting threads, in the order in which they began or continued to wait.
        var wakeups: [Wakeup] = []
        /// The releases that other threads have left to the owner.
        var releases: [HandleRelease] = []
        /// The family that this one has become a part of. Its state counts from then on.
        var larger: HandleFamily?
        /// The number of families that have become one.
        var size = 1
        /// How often parts of handles have ended; in a family that has become a part of another one, how much more often
        /// than there.
        var partsEnded = 0

        mutating func enter(_ thread: UInt) -> Bool {
            guard owner == 0 || owner == thread else { return false }
            owner = thread
            depth += 1
            return true
        }

        /// Wakes the first waiting thread. It has to try again, because another one may enter first.
        mutating func wakeNext() {
            if owner == 0, !wakeups.isEmpty { wakeups.removeFirst().wake() }
        }
    }

    private let state = Lock(State())

    /// The thread that owns the family; 0 for none.
    var owner: UInt { withState { $0.owner } }

    /// The position of the family in the order in which a call enters several families.
    var place: UInt {
        let root = root
        return unsafe UInt(bitPattern: Unmanaged.passUnretained(root).toOpaque())
    }

    /// The generation of the parts that a call brings now. It stays the same when families become one, and changes for
    /// all of them when parts end.
    var generation: Int {
        var (family, sum) = (self, 0)
        while true {
            let (larger, number) = family.state.withLock { ($0.larger, $0.partsEnded) }
            sum += number
            guard let larger else { return sum }
            family = larger
        }
    }

    /// Ends all parts of the family's handles. The thread must own the family.
    func endParts() { withState { $0.partsEnded += 1 } }

    /// The family that this one has become a part of, or itself.
    private var root: HandleFamily {
        var family = self
        while let larger = family.state.withLock({ $0.larger }) { family = larger }
        return family
    }

    /// Runs `body` with the state that counts for this family.
    private func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        var family = self
        while true {
            let (larger, result) = family.state.withLock { state -> (HandleFamily?, Result?) in
                if let larger = state.larger { return (larger, nil) }
                return (nil, body(&state))
            }
            if let result { return result }
            if let larger { family = larger }
        }
    }

    /// Makes one family of two, for good. The thread must own both, or nothing else may know the one that it does not.
    func join(_ other: HandleFamily) {
        let thread = HandleWaits.currentThread
        guard withState({ $0.enter(thread) }) else { return }
        defer { leave() }
        guard other.withState({ $0.enter(thread) }) else { return }
        defer { other.leave() }
        // No other thread changes what the families are parts of, because only an owner does.
        var (larger, smaller) = (root, other.root)
        guard larger !== smaller else { return }
        if larger.size < smaller.size { swap(&larger, &smaller) }
        let partsEnded = larger.state.withLock { $0.partsEnded }
        let absorbed = smaller.state.withLock { state in
            let before = state
            state = State(larger: larger, partsEnded: before.partsEnded - partsEnded)
            return before
        }
        larger.state.withLock { state in
            state.depth += absorbed.depth
            state.releases += absorbed.releases
            state.size += absorbed.size
        }
        // They wait for the other family from now on.
        for wakeup in absorbed.wakeups { wakeup.wake() }
    }

    private var size: Int { state.withLock { $0.size } }

    /// Enters the family; waits while another thread owns it.
    ///
    /// - Throws: `LinkError` with the code ``ComponentKit/LinkError/Code/wouldDeadlock`` if the owner waits for this
    ///   thread.
    func enter() throws(LinkError) {
        let thread = HandleWaits.currentThread
        if withState({ $0.enter(thread) }) { return }
        try HandleWaits.enter(self, thread)
    }

    /// Leaves the family once. The outermost leave first performs the releases that other threads have left to this one,
    /// then wakes the next thread.
    func leave() {
        var released: [HandleRelease] = []
        while let release = nextRelease() {
            release.run()
            released.append(release)
        }
        extendLifetime(released)
    }

    /// - Returns: A release to perform before the thread leaves; nil if it has left, or still owns the family for an
    ///   outer call.
    private func nextRelease() -> HandleRelease? {
        withState { state in
            if state.depth == 1, !state.releases.isEmpty { return state.releases.removeFirst() }
            state.depth -= 1
            if state.depth == 0 {
                state.owner = 0
                state.wakeNext()
            }
            return nil
        }
    }

    /// Releases a handle of the family: now, or when the thread that owns the family leaves. Never waits.
    func release(_ release: HandleRelease) {
        let thread = HandleWaits.currentThread
        let isInside = withState { state in
            if state.enter(thread) { return true }
            state.releases.append(release)
            return false
        }
        guard isInside else { return }
        release.run()
        leave()
        extendLifetime(release)
    }

    // MARK: Waiting threads

    /// Enters the family unless another thread owns it.
    ///
    /// - Parameter wakeup: The wakeup of this thread, which is removed from the waiting ones.
    /// - Returns: Whether the thread has entered. If not, and `isWaiting`, an owner triggers the wakeup when it
    ///   leaves, in the order of the waiting threads.
    fileprivate func tryEnter(_ thread: UInt, _ wakeup: Wakeup, isWaiting: Bool) -> Bool {
        withState { state in
            state.wakeups.removeAll { $0 === wakeup }
            if state.enter(thread) { return true }
            if isWaiting { state.wakeups.append(wakeup) }
            return false
        }
    }

    /// Removes the wakeup of a thread that gives up. If it was just woken, the next one is woken instead.
    fileprivate func forget(_ wakeup: Wakeup) {
        withState { state in
            state.wakeups.removeAll { $0 === wakeup }
            state.wakeNext()
        }
    }
}

/// Wakes one thread. A wakeup that comes before the thread waits is not lost.
@safe
// Unchecked: a semaphore may be used from any thread.
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

    /// Waits for ``wake()``. Repeats the system call, which a signal may interrupt.
    func wait() { while unsafe sem_wait(semaphore) != 0 {} }
}

/// The table of threads that wait for families. Threads that do not have to wait never access it.
///
/// Before a thread waits, it follows this table: from the family to its owner, from there to the family that the owner
/// waits for, and so on. If that leads back to the thread itself, all of them would wait forever, so one
/// call in the cycle is refused. The last thread to join a cycle always finds it, because a thread leaves no family while it waits.
enum HandleWaits {
    private struct Wait {
        let family: HandleFamily
        let wakeup: Wakeup
        /// Whether the wait can end with an error.
        let isRefusable: Bool
        var isRefused = false
    }

    /// The waits by thread.
    private static let waits = Lock<[UInt: Wait]>([:])

    static var currentThread: UInt { UInt(pthread_self()) }

    /// The threads whose calls cannot return before a closure that another thread runs, by that thread.
    private static let callers = Lock<[UInt: [UInt]]>([:])

    /// Says that this thread runs a closure that lives as long as a call of another thread.
    static func begin(for caller: UInt) { callers.withLock { $0[currentThread, default: []].append(caller) } }

    /// Says that the closure of the last ``begin(for:)`` has returned.
    static func end() {
        callers.withLock { callers in
            callers[currentThread]?.removeLast()
            if callers[currentThread]?.isEmpty == true { callers[currentThread] = nil }
        }
    }

    /// Enters a family that another thread owns.
    ///
    /// - Throws: `LinkError` with the code ``ComponentKit/LinkError/Code/wouldDeadlock`` if the owner waits for this
    ///   thread.
    static func enter(_ family: HandleFamily, _ thread: UInt) throws(LinkError) {
        let wakeup = Wakeup()
        while try waits.withLock({ waits throws(LinkError) in
            let isRefused = waits.removeValue(forKey: thread)?.isRefused ?? false
            if family.tryEnter(thread, wakeup, isWaiting: false) { return false }
            guard !isRefused, !leadsBack(family, to: thread, waits) else {
                family.forget(wakeup)
                throw LinkError(
                    .wouldDeadlock,
                    message: "another thread uses the handle and waits for a handle that this thread uses")
            }
            if family.tryEnter(thread, wakeup, isWaiting: true) { return false }
            waits[thread] = Wait(family: family, wakeup: wakeup, isRefusable: true)
            return true
        }) { wakeup.wait() }
    }

    /// Waits for a wakeup that the owner of a family will trigger. This wait cannot fail: if it closes a
    /// cycle, the first call in the cycle that can fail does so instead.
    static func wait(for wakeup: Wakeup, from family: HandleFamily) {
        let thread = currentThread
        waits.withLock { waits in
            let others = threads(from: family, waits)
            waits[thread] = Wait(family: family, wakeup: wakeup, isRefusable: false)
            // At least one thread in a cycle waits for a family, not for calls that use a lent handle to return: each handle was lent
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
        let waiting = callers.withLock { $0[thread] ?? [] } + [thread]
        return threads(from: family, waits).contains { waiting.contains($0) }
    }

    /// Returns the owner of a family, the thread that the owner waits for, and so on, up to a thread that does not
    /// wait.
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

/// What remains of a handle once nothing refers to it: enough to release it on any thread.
///
/// It keeps everything that C may still use until then: memory, closures, and the parent handle.
@safe
// Unchecked: it never changes, and only one thread runs it, once.
final class HandleRelease: @unchecked Sendable {
    private let pointer: UnsafeMutableRawPointer
    private let function: UnsafeRawPointer?
    private let parent: ForeignHandle?
    private let memory: UnsafeMutableRawPointer?
    private let kept: [any AnyObject & Sendable]

    /// - Parameters:
    ///   - function: The function that releases the pointer; nil if there is none.
    ///   - parent: The handle that is kept alive until the release.
    ///   - memory: Memory that is freed after the release.
    ///   - kept: The callbacks and the memory that are kept until the release.
    init(
        _ pointer: UnsafeMutableRawPointer, _ function: UnsafeRawPointer?, parent: ForeignHandle?,
        memory: UnsafeMutableRawPointer?, kept: [any AnyObject & Sendable]
    ) {
        unsafe self.pointer = unsafe pointer
        unsafe self.function = unsafe function
        self.parent = parent
        unsafe self.memory = unsafe memory
        self.kept = kept
    }

    deinit { unsafe free(memory) }

    /// Releases the handle. The thread must own its family.
    func run() {
        unsafe HandleRelease.give(pointer, to: function, parent)
        parent?.isKeptNoLonger()
    }

    /// Calls the function that releases `pointer`. The parent counts as in use meanwhile, because C may call back.
    static func give(_ pointer: UnsafeMutableRawPointer, to function: UnsafeRawPointer?, _ parent: ForeignHandle?) {
        guard let function = unsafe function else { return }
        parent?.beginUse()
        defer { parent?.endUse() }
        unsafe hslink_ffi_release(function, pointer)
    }
}
