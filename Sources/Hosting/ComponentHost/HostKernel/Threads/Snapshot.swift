import ComponentKit
import Synchronization

/// An immutable object that many threads read and that is replaced as a whole. Readers take no lock and do not retain
/// it.
final class Snapshot<Value: AnyObject & Sendable>: Sendable {
    /// The address of the current object, retained.
    private let current: Atomic<UInt>
    /// Replaced objects that a thread may still be reading.
    private let retired = Lock<[UInt]>([])

    init(_ value: Value) { current = Atomic(Self.retained(value)) }

    deinit {
        _ = Self.owned(current.load(ordering: .acquiring))
        for address in retired.withLock({ $0 }) { _ = Self.owned(address) }
    }

    /// Passes `body` the current object, which stays valid until `body` returns. `body` must not read another snapshot.
    @inline(__always)
    func read<Result>(_ body: (Value) -> Result) -> Result {
        let thread = HostThread.current
        defer { thread.endSnapshot() }
        let address = thread.beginSnapshot(current)
        // It is never zero.
        let object = unsafe Unmanaged<Value>.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
        return unsafe object._withUnsafeGuaranteedRef { body($0) }
    }

    /// The current object, retained.
    var value: Value { read { $0 } }

    /// Publishes another object.
    ///
    /// - Returns: Replaced objects that no thread reads any more. Release them outside locks.
    func replace(with value: Value) -> [Value] {
        retired.withLock { retired in
            retired.append(current.exchange(Self.retained(value), ordering: .sequentiallyConsistent))
            let read = ThreadContext.read(retired)
            let free = retired.filter { !read.contains($0) }
            retired = retired.filter(read.contains)
            return free.compactMap(Self.owned)
        }
    }

    private static func retained(_ value: Value) -> UInt {
        unsafe UInt(bitPattern: Unmanaged.passRetained(value).toOpaque())
    }

    /// Returns an object with the reference that `retained(_:)` took.
    private static func owned(_ address: UInt) -> Value? {
        unsafe UnsafeRawPointer(bitPattern: address).map {
            unsafe Unmanaged<Value>.fromOpaque($0).takeRetainedValue()
        }
    }
}
