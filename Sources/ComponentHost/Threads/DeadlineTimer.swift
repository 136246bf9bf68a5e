import ComponentKit
import Glibc
import SystemSupport

/// Runs short actions at points in time, on one thread of its own, which starts with the timer: later the system may have
/// none to give. Not on Swift's pool, nor on Dispatch's: a deadline must hold when those are busy.
// Unchecked: every variable is read and written under `lock`, which also lets the thread sleep, as no Lock does.
final class DeadlineTimer: @unchecked Sendable {
    /// One action that waits for its time; cancel it when there is no need for it any more.
    // Unchecked: `action` is read and written under the lock of the timer that made it.
    final class Item: @unchecked Sendable {
        fileprivate let time: UInt64
        fileprivate var action: (@Sendable () -> Void)?

        fileprivate init(_ time: UInt64, _ action: @escaping @Sendable () -> Void) {
            self.time = time
            self.action = action
        }
    }

    private let lock = WaitLock()
    private var items: [Item] = []
    /// How many of `items` have been cancelled; they are removed when they are more than the others.
    private var cancelledCount = 0
    private var isRunning = false
    /// When the thread looks for due items by itself.
    private var wakeTime = UInt64.max
    private var isEnded = false

    init() { lock.withLock { startIfNeeded() } }

    /// Runs `action` on the timer's thread at `deadline`, at once when that has passed. It must not block.
    @discardableResult
    func schedule(_ deadline: Deadline, _ action: @escaping @Sendable () -> Void) -> Item {
        let item = Item(deadline.nanoseconds, action)
        lock.withLock {
            guard !isEnded else { return }
            insert(item)
            startIfNeeded()
            // A thread that wakes before this one is due finds it by itself.
            if item.time < wakeTime { lock.wakeAll() }
        }
        return item
    }

    private func startIfNeeded() {
        if !isRunning { isRunning = startThread(named: "hslink-timer") { [self] in run() } }
    }

    /// Forgets an action that has not run, and what it holds.
    func cancel(_ item: Item) {
        // The action is let go of outside of the lock: it may hold objects of components.
        let action = lock.withLock {
            let action = item.action
            item.action = nil
            if action != nil { cancelledCount += 1 }
            if cancelledCount > 64, cancelledCount > items.count / 2 { removeCancelled() }
            return action
        }
        withExtendedLifetime(action) {}
    }

    /// Ends the thread; what is scheduled is forgotten.
    func end() {
        let forgotten = lock.withLock {
            isEnded = true
            lock.wakeAll()
            defer { items = [] }
            return items
        }
        withExtendedLifetime(forgotten) {}
    }

    private func run() {
        // An end that runs here must not wait for anybody's code: the deadlines of all others would wait with it.
        unsafe ThreadContext.current.state.pointee.servesAll = true
        while let due = nextDue() {
            for action in due { action() }
        }
    }

    /// Waits for the next actions whose time has come; nil at the end.
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
                    // Until the next look, nothing is too early to be seen.
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
            if let action = first.action { due.append(action) } else { cancelledCount -= 1 }
            first.action = nil
            removeFirst()
        }
        return due
    }
}

// A binary heap with the earliest item first.
extension DeadlineTimer {
    private func insert(_ item: Item) {
        items.append(item)
        var child = items.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard items[child].time < items[parent].time else { return }
            items.swapAt(child, parent)
            child = parent
        }
    }

    private func removeCancelled() {
        let live = items.filter { $0.action != nil }
        items = []
        cancelledCount = 0
        for item in live { insert(item) }
    }

    private func removeFirst() {
        items.swapAt(0, items.count - 1)
        items.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < items.count {
                if items[child].time < items[least].time { least = child }
            }
            guard least != parent else { return }
            items.swapAt(parent, least)
            parent = least
        }
    }
}
