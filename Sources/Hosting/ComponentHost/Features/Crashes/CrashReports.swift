/// Whether a crash of the process names the component that the crashing thread was running in.
///
/// With ``text`` and ``json``, the first host that is made installs handlers for SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV
/// and SIGTRAP, once in the process. At a crash, a handler writes one line to standard error, with the component, the
/// method, the signal and the thread:
///
/// ```text
/// 2026-11-28T17:17:27.464Z critical ComponentVideo: crashed in VideoLink.probe with SIGSEGV at the address 0x10 on the thread hslink-worker (4711)
/// ```
///
/// Then the handler that was there before, or the default action, gets the signal, so core dumps and Swift's backtraces
/// stay as they are. A handler that the program or a component installs later replaces this one.
///
/// Each host in the process that has claimed its data directory gets a note there. The next host with that directory
/// logs it, and ``LinkHost/start()`` and calls do not load a component that has crashed its host three times within an
/// hour, until ``LinkHost/retry(_:)`` or a start after an orderly stop, which clears the note.
///
/// The component is that of the innermost call, start or stop on the thread. On other threads, such as those on which
/// asynchronous methods go on, it is the one whose code is on the stack, which cannot always be found. Calls cost nothing
/// for this.
public enum CrashReports: Hashable, Sendable {
    /// No handlers are installed.
    case off
    /// The line is text.
    case text
    /// The line is a JSON object with the keys `time`, `level`, `message` and `component`.
    case json
}
