import ComponentKit

/// The values that callbacks delivered, in order.
final class Collected<Value: Sendable>: Sendable {
    private let values = Lock<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func add(_ value: Value) { values.withLock { $0.append(value) } }

    /// Waits until `count` values have arrived.
    func first(_ count: Int) async -> [Value] {
        _ = await holds { all.count >= count }
        return all
    }
}

/// Waits until `condition` holds; gives up after a time that only a broken runtime needs.
func holds(within patience: Duration = .seconds(300), _ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + patience
    while !condition() {
        guard ContinuousClock.now < end else { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
