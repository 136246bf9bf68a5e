import Foundation

/// Calls `body` with no signal blocked on this thread: programs inherit the mask, and threads of Swift's cooperative
/// thread pool block nearly all signals.
public func withUnblockedSignals<Result>(_ body: () throws -> Result) rethrows -> Result {
    var (none, former) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, &former)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
    return try body()
}
