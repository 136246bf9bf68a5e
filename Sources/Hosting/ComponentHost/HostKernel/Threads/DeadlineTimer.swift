import ComponentKit
import Glibc
import SystemSupport

/// Runs short actions at given times on a thread of its own. The thread starts with the timer, since the system may
/// have none to give later. Neither Swift's cooperative thread pool nor Dispatch is used, because a deadline must hold
/// while these are busy.
// Unchecked: every variable is guarded by `lock`, a WaitLock because the thread also sleeps on it.
final class DeadlineTimer: @unchecked Sendable {
    /// A scheduled action. Cancel it when it is no longer needed.
    // Unchecked: `action` is guarded by the lock of the timer that made it.
    final class Item: @unchecked Sendable {
        fileprivate var action: (@Sendable () -> Void)?

        fileprivate init(_ action: @escaping @Sendable () -> Void) { self.action = action }
    }

    /// An item by its time, without a look into the item.
    private struct Entry: Comparable {
        let time: UInt64
        let item: Item

        static func == (left: Entry, right: Entry) -> Bool { left.time == right.time }
        static func < (left: Entry, right: Entry) -> Bool { left.time < right.time }
    }

    private let lock = WaitLock()
    private var items = Heap<Entry>()
    /// The number of cancelled items in `items`. They are removed when they outnumber the others.
    private var cancelledCount = 0
    private var isRunning = false
    /// When the thread next checks for due items without being woken.
    private var wakeTime = UInt64.max
    private var isEnded = false

    init() { lock.withLock { startIfNeeded() } }

    /// Runs `action` on the timer's thread at `deadline`, or at once if that has passed. The action must not block.
    @discardableResult
    func schedule(_ deadline: Deadline, _ action: @escaping @Sendable () -> Void) -> Item {
        let item = Item(action)
        let time = deadline.nanoseconds
        lock.withLock {
            guard !isEnded else { return }
            items.insert(Entry(time: time, item: item))
            startIfNeeded()
            // A thread that wakes before this item is due finds it without being woken for it.
            if time < wakeTime { lock.wakeAll() }
        }
        return item
    }

    private func startIfNeeded() {
        if !isRunning { isRunning = startThread(named: "hslink-timer") { [self] in run() } }
    }

    /// Discards an action that has not run, and everything that it retains.
    func cancel(_ item: Item) {
        // Release the action outside the lock: it may hold objects of components.
        let action = lock.withLock {
            let action = item.action
            item.action = nil
            if action != nil { cancelledCount += 1 }
            if cancelledCount > 64, cancelledCount > items.count / 2 {
                items.removeAll { $0.item.action == nil }
                cancelledCount = 0
            }
            return action
        }
        withExtendedLifetime(action) {}
    }

    /// Ends the thread and discards all scheduled actions.
    func end() {
        let forgotten = lock.withLock {
            isEnded = true
            lock.wakeAll()
            defer { items = Heap() }
            return items
        }
        withExtendedLifetime(forgotten) {}
    }

    private func run() {
        // A call that ends on this thread must not wait for an author's code: that would delay all other deadlines.
        unsafe ThreadContext.current.state.pointee.servesAll = true
        while let due = nextDue() {
            TestDelays.pause()
            for action in due { action() }
        }
    }

    /// Waits for the next due actions; returns nil once the timer has ended.
    private func nextDue() -> [@Sendable () -> Void]? {
        lock.withLock {
            while true {
                if isEnded { return nil }
                guard let first = items.first else {
                    wakeTime = .max
                    lock.wait()
                    continue
                }
                let now = Deadline.after(.zero).nanoseconds
                guard first.time <= now else {
                    wakeTime = first.time
                    lock.wait(until: first.time)
                    // The thread is awake until it checks again, so new items need not wake it.
                    wakeTime = 0
                    continue
                }
                return takeDue(now)
            }
        }
    }

    private func takeDue(_ now: UInt64) -> [@Sendable () -> Void] {
        var due: [@Sendable () -> Void] = []
        while let first = items.first, first.time <= now {
            if let action = first.item.action { due.append(action) } else { cancelledCount -= 1 }
            first.item.action = nil
            items.removeFirst()
        }
        return due
    }
}
