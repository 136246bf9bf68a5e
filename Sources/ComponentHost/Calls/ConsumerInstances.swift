import CHSLink
import ComponentKit
import Synchronization

/// The instances of a link class that has one for each consumer.
final class ConsumerInstances: Sendable {
    /// Where the instance of one consumer is, or will be.
    final class Slot: Sendable {
        let gate: OnceGate
        /// 0 until it is made, and after it was released.
        private let address = Atomic<UInt>(0)

        init(of component: ComponentNumber) { gate = OnceGate(of: component) }

        var isFilled: Bool { address.load(ordering: .acquiring) != 0 }

        var instance: UnsafeMutablePointer<hslink_object>? {
            unsafe UnsafeMutablePointer(bitPattern: address.load(ordering: .acquiring))
        }

        /// Takes the reference over. Inside of ``gate``.
        func fill(_ instance: UnsafeMutablePointer<hslink_object>) {
            address.store(UInt(bitPattern: instance), ordering: .sequentiallyConsistent)
        }

        fileprivate func release() {
            let old = address.exchange(0, ordering: .acquiringAndReleasing)
            guard let instance = unsafe UnsafeMutablePointer<hslink_object>(bitPattern: old) else { return }
            unsafe instance.pointee.type.pointee.release(instance)
        }
    }

    private let component: ComponentNumber
    private let slots = Lock<[String: Slot]>([:])

    /// - Parameter component: that has the class.
    init(of component: ComponentNumber) { self.component = component }

    /// - Parameter consumer: the component that calls; empty for the host's own code.
    func slot(of consumer: String) -> Slot {
        slots.withLock { slots in
            if let slot = slots[consumer] { return slot }
            let slot = Slot(of: component)
            slots[consumer] = slot
            return slot
        }
    }

    /// Lets go of all of them. Only when no call is inside and none can come.
    func release() {
        for slot in slots.withLock({ $0.values.map(\.self) }) { slot.release() }
    }
}
