import ComponentKit
import Glibc

/// Runs short actions at points in time, on one thread of its own, which starts with the first of them.
/// Not on Swift's pool: a deadline must hold when that is busy.
final class DeadlineTimer: @unchecked Sendable {
    // Unchecked: all state is guarded by `lock`.

    private struct Item {
        let time: UInt64
        let action: @Sendable () -> Void
    }

    private let lock = WaitLock()
    private var items: [Item] = []
    private var isRunning = false
    private var isEnded = false

    /// Runs `action` on the timer's thread at `deadline`, at once when that has passed. It must not block.
    func schedule(_ deadline: Deadline, _ action: @escaping @Sendable () -> Void) {
        lock.withLock {
            insert(Item(time: deadline.nanoseconds, action: action))
            if !isRunning {
                isRunning = true
                startThread(named: "hslink-timer") { [self] in run() }
            }
            lock.wakeAll()
        }
    }

    /// Ends the thread; what is scheduled is forgotten.
    func end() {
        lock.withLock {
            isEnded = true
            items = []
            lock.wakeAll()
        }
    }

    private func run() {
        while true {
            let due = lock.withLock { () -> [Item]? in
                while true {
                    if isEnded { return nil }
                    guard let first = items.first else {
                        lock.wait()
                        continue
                    }
                    if first.time <= Deadline.after(.zero).nanoseconds { return takeDue() }
                    lock.wait(until: first.time)
                }
            }
            guard let due else { return }
            for item in due { item.action() }
        }
    }

    private func takeDue() -> [Item] {
        let now = Deadline.after(.zero).nanoseconds
        var due: [Item] = []
        while let first = items.first, first.time <= now {
            due.append(first)
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
