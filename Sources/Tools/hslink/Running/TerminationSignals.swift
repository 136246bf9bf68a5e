import ComponentHost
import Glibc
import Synchronization
import SystemSupport

/// The signal handling of `hslink run` and of scripts of calls: SIGINT and SIGTERM end the process cleanly, a second
/// one ends it at once; SIGHUP makes a host rescan its directories.
///
/// It does not use Swift's cooperative thread pool, because a component that keeps the pool busy must not prevent the
/// host from stopping.
enum TerminationSignals {
    /// Installs the handlers. From now on, signals are queued for ``handle(_:patience:terminate:reload:)``, except that
    /// a second SIGINT or SIGTERM exits the process. Call it once per process, before the host is visible from outside.
    ///
    /// - Parameters:
    ///   - numbers: the signals to handle.
    ///   - isSecondFatal: whether the second of them exits the process.
    /// - Returns: the descriptor that delivers the numbers of received signals.
    /// - Throws: a ``SignalError`` if the system refuses.
    static func take(
        _ numbers: [Int32] = [SIGINT, SIGTERM, SIGHUP], isSecondFatal: Bool = true
    ) throws(SignalError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw SignalError(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (input, output) = (ends[0], ends[1])
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
        signalPipe.store(output, ordering: .sequentiallyConsistent)
        signalCount.store(isSecondFatal ? 0 : .min, ordering: .sequentiallyConsistent)
        for number in numbers {
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = receive
            action.sa_flags = SA_RESTART
            guard unsafe sigaction(number, &action, nil) == 0 else { throw SignalError(code: errno) }
        }
        return input
    }

    /// Starts a thread that handles queued and future signals.
    ///
    /// - Parameters:
    ///   - input: the descriptor that ``take(_:)`` returned.
    ///   - patience: how long the process may take to end after the first signal; then it exits with status 1.
    ///   - terminate: called once, with the number of the first SIGINT or SIGTERM, on a separate thread if possible.
    ///   - reload: called after each SIGHUP on a separate thread, since it may block on an unresponsive directory. For
    ///     those that arrive while it runs, it is called once more.
    /// - Throws: a ``SignalError`` if the thread cannot be started.
    static func handle(
        _ input: Int32, patience: Duration, terminate: @escaping @Sendable (Int32) -> Void,
        reload: @escaping @Sendable () -> Void
    ) throws(SignalError) {
        let isStarted = startThread(named: "hslink-signals") {
            wait(input, patience: patience, terminate: terminate, reload: reload)
        }
        guard isStarted else { throw SignalError(code: EAGAIN) }
    }

    private static func wait(
        _ input: Int32, patience: Duration, terminate: @escaping @Sendable (Int32) -> Void,
        reload: @escaping @Sendable () -> Void
    ) {
        unblock([SIGINT, SIGTERM, SIGHUP])
        let reloads = MergedRuns(named: "hslink-reload", reload)
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
                reloads.request()
            } else {
                end = .now + patience
                if !startThread(named: "hslink-end", { terminate(signal) }) { terminate(signal) }
            }
        }
    }

    /// Unblocks signals, which the parent process may have blocked. One thread is enough.
    static func unblock(_ numbers: [Int32]) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in numbers { unsafe sigaddset(&signals, number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Ends the process. The message is written on a separate thread, because a blocked reader must not delay the end.
    private static func giveUp() -> Never {
        startThread(named: "hslink-give-up") { Output.error("the host did not stop in time; the process exits now") }
        usleep(100_000)
        _exit(1)
    }
}

/// The error thrown if the system refuses to handle signals.
struct SignalError: Error {
    /// The value of `errno`.
    let code: Int32

    var message: String { "cannot handle signals: \(systemMessage(code))" }
}

/// The number of SIGINT and SIGTERM signals received; far below 0 if any number of them is handled.
private let signalCount = Atomic<Int32>(0)
/// The descriptor that the handler writes signal numbers to.
private let signalPipe = Atomic<Int32>(-1)

/// Signal handler: uses only atomics and async-signal-safe functions.
private func receive(_ number: Int32) {
    let error = errno
    if number != SIGHUP, signalCount.add(1, ordering: .sequentiallyConsistent).newValue > 1 {
        _exit(128 + number)
    }
    var byte = UInt8(truncatingIfNeeded: number)
    _ = unsafe write(signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = error
}
