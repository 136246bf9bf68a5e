import Glibc
import Synchronization

/// Random delays where the host hands work to another thread or has waited, so that tests meet orders of events that
/// are rare on an idle machine.
///
/// They are off unless `HSLINK_TEST_DELAYS` has a number, the seed, which `scripts/test --busy` sets. The delays follow
/// from the seed and their order; which thread has which depends on the system. Release builds have none.
package enum TestDelays {
    #if DEBUG
        /// Nil if there are no delays.
        @usableFromInline static let seed: UInt64? = unsafe getenv("HSLINK_TEST_DELAYS").flatMap {
            unsafe UInt64(String(cString: $0))
        }
        private static let count = Atomic<UInt64>(0)
    #endif

    /// Returns at once, or after up to 20 ms. Not to be called while a lock is held.
    // Inlinable, so that release builds of other modules have no call either.
    @inlinable @inline(__always)
    package static func pause() {
        #if DEBUG
            if let seed { sleep(seed) }
        #endif
    }

    #if DEBUG
        @usableFromInline @inline(never)
        static func sleep(_ seed: UInt64) {
            // SplitMix64: the numbers of different calls have nothing in common.
            var mixed = seed &+ count.add(1, ordering: .relaxed).newValue &* 0x9E37_79B9_7F4A_7C15
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            mixed ^= mixed >> 31
            let size = mixed >> 8
            switch mixed % 32 {
            // Mostly none, so that the whole suite remains possible.
            case 0..<20: return
            case 20..<26: sched_yield()
            case 26..<31: usleep(UInt32(size % 2_000))
            default: usleep(UInt32(size % 20_000))
            }
        }
    #endif
}
