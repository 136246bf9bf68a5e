import Glibc

/// Blocks the thread, like careless components.
func pause(_ seconds: Double) { usleep(UInt32(seconds * 1_000_000)) }

/// Identifies the current thread.
func threadNumber() -> Int { Int(truncatingIfNeeded: pthread_self()) }
