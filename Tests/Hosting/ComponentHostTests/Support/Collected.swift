import ComponentKit
import TestSupport

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
