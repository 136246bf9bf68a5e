import ComponentKit
import NXStorage

/// A clock that stands until it is moved.
final class TestClock: Sendable {
    private let time = Lock(Timestamp(seconds: 1_800_000_000))

    var now: Timestamp { time.withLock { $0 } }

    func advance(by seconds: Double) {
        time.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + Int64(seconds * 1000)) }
    }
}
