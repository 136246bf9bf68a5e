import Glibc
import Synchronization
import SystemSupport

/// The signals that a host that stays up answers to, and a script of calls: SIGINT and SIGTERM end it, a second one at
/// once; SIGHUP lets a host look through its directories again.
///
/// Nothing of it goes over Swift's pool: a component that keeps the pool busy must not keep the host from ending.
enum TerminationSignals {
    /// Takes over the signals: from now on they wait for ``handle(_:patience:terminate:reload:)``, but for a second one
    /// that ends the process. Once in a process, before anything can be seen of the host from outside.
    ///
    /// - Parameter numbers: of the signals.
    /// - Returns: the descriptor that their numbers are read from.
    /// - Throws: the system's words.
    static func take(_ numbers: [Int32] = [SIGINT, SIGTERM, SIGHUP]) throws(SignalError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw SignalError(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (input, output) = (ends[0], ends[1])
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
        signalPipe.store(output, ordering: .sequentiallyConsistent)
        signalCount.store(0, ordering: .sequentiallyConsistent)
        for number in numbers {
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = receive
            action.sa_flags = SA_RESTART
            guard unsafe sigaction(number, &action, nil) == 0 else { throw SignalError(code: errno) }
        }
        return input
    }

    /// Answers the signals that come, and those that have come.
    ///
    /// - Parameters:
    ///   - input: from ``take()``.
    ///   - patience: how long the end may take after the first signal; then the process ends with status 1.
    ///   - terminate: is called once, on a thread of its own, with the number of the first signal.
    ///   - reload: is called for each SIGHUP, on a thread of its own: it may wait for a directory that does not answer.
    /// - Throws: the system's words.
    static func handle(
        _ input: Int32, patience: Duration, terminate: @escaping @Sendable (Int32) -> Void,
        reload: @escaping @Sendable () -> Void
    ) throws(SignalError) {
        let isStarted = startThread(named: "hslink-signals") { wait(input, patience, terminate, reload) }
        guard isStarted else { throw SignalError(code: EAGAIN) }
    }

    private static func wait(
        _ input: Int32, _ patience: Duration, _ terminate: @escaping @Sendable (Int32) -> Void,
        _ reload: @escaping @Sendable () -> Void
    ) {
        // Who started the process may have had them blocked. One thread that takes them is enough.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        var end: ContinuousClock.Instant?
        while true {
            var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            let left = end.map { max(0, ContinuousClock.now.duration(to: $0) / .milliseconds(1)) }
            let limit = left.map { Int32(clamping: Int64($0.rounded(.up))) } ?? -1
            let count = unsafe poll(&descriptor, 1, limit)
            if count == 0 { giveUp() }
            var number: UInt8 = 0
            guard count > 0, unsafe read(input, &number, 1) == 1, end == nil else { continue }
            let signal = Int32(number)
            if signal == SIGHUP {
                startThread(named: "hslink-reload", reload)
            } else {
                end = .now + patience
                if !startThread(named: "hslink-end", { terminate(signal) }) { terminate(signal) }
            }
        }
    }

    /// Ends the process. Who should read the reason may not read: that must not keep it from ending.
    private static func giveUp() -> Never {
        startThread(named: "hslink-give-up") { Output.error("the host has not ended in time; its process ends now") }
        usleep(100_000)
        _exit(1)
    }
}

/// The system did not let the signals be handled.
struct SignalError: Error {
    /// As in `errno`.
    let code: Int32

    var message: String { "signals cannot be handled: \(systemMessage(code))" }
}

/// How many signals to end have come.
private let signalCount = Atomic<Int32>(0)
/// Where their numbers are written to.
private let signalPipe = Atomic<Int32>(-1)

/// Runs in the middle of anything: nothing but atomics and functions that are safe there.
private func receive(_ number: Int32) {
    let error = errno
    if number != SIGHUP, signalCount.add(1, ordering: .sequentiallyConsistent).newValue > 1 {
        _exit(128 + number)
    }
    var byte = UInt8(truncatingIfNeeded: number)
    _ = unsafe write(signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = error
}
