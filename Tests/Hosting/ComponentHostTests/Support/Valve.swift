import ComponentKit
import Foundation

/// Blocks threads until it is opened, for calls that must be in the middle of their method.
final class Valve: @unchecked Sendable {
    // Unchecked: all state is guarded by `condition`.

    private let condition = NSCondition()
    private var isOpen = false
    private var count = 0

    /// The number of threads that have arrived so far.
    var arrivals: Int { condition.withLock { count } }

    func open() {
        condition.withLock {
            isOpen = true
            condition.broadcast()
        }
    }

    func pass() {
        condition.withLock {
            count += 1
            while !isOpen { condition.wait() }
        }
    }

    /// A closure of the host that blocks until the valve is open.
    func closure(_ link: Link) -> Payload {
        link.closure { [self] _ in
            pass()
            return "passed"
        }
    }
}
