import Glibc

/// Blocks the thread, as careless components do.
func pause(_ seconds: Double) { usleep(UInt32(seconds * 1_000_000)) }

/// Tells threads apart.
func threadNumber() -> Int { Int(truncatingIfNeeded: pthread_self()) }
