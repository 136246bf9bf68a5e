import Glibc
import Synchronization
import SystemSupport

/// A temporary folder with a hidden name, next to the folder that it will become.
final class ScaffoldDraft {
    let path: String
    /// The created files and folders, in order.
    private var made: [(path: String, isFolder: Bool)] = []

    init(beside target: String) {
        let slash = target.utf8.lastIndex(of: UInt8(ascii: "/")) ?? target.startIndex
        let name = target[slash...].dropFirst()
        path = "\(target[..<slash])/.\(name).\(String(UInt32.random(in: 0...UInt32.max), radix: 36))"
    }

    func make() throws(ScaffoldError) { try makeFolder(path) }

    /// Writes a file and creates its parent folders.
    ///
    /// - Parameters:
    ///   - bytes: the contents.
    ///   - name: the path relative to the draft.
    func write(_ bytes: [UInt8], to name: String) throws(ScaffoldError) {
        try Interruption.check()
        var folder = path
        for part in name.exactParts(between: "/").dropLast() {
            folder += "/\(part)"
            if !made.contains(where: { $0.path.isExactly(folder) }) { try makeFolder(folder) }
        }
        let file = "\(path)/\(name)"
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw ScaffoldDraft.error(file) }
        made.append((file, false))
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw ScaffoldDraft.error(file) }
            rest = rest.dropFirst(count)
        }
    }

    /// Removes everything that was created.
    func remove() {
        for entry in made.reversed() { _ = unsafe entry.isFolder ? rmdir(entry.path) : unlink(entry.path) }
        made = []
    }

    /// Creates a folder that other users cannot write to, whatever the umask: hosts refuse components below folders
    /// that others can write to.
    private func makeFolder(_ folder: String) throws(ScaffoldError) {
        guard unsafe mkdir(folder, 0o755) == 0 else { throw ScaffoldDraft.error(folder) }
        made.append((folder, true))
    }

    private static func error(_ path: String) -> ScaffoldError {
        ScaffoldError("\(path.escaped): cannot be written: \(systemMessage(errno))")
    }
}

/// Records signals that ask the process to end, so that a partial folder can be removed first.
enum Interruption {
    /// Makes SIGINT, SIGTERM and SIGHUP interrupt this thread's blocking system calls instead of ending the process.
    static func remember() {
        worker.store(pthread_self(), ordering: .sequentiallyConsistent)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = receive
            // Without SA_RESTART, so that blocking system calls fail with EINTR.
            _ = unsafe sigaction(number, &action, nil)
            unsafe sigaddset(&signals, number)
        }
        // Threads of Swift's cooperative pool block these signals.
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Checks whether a signal was received.
    ///
    /// - Throws: a ``ScaffoldError`` with the signal.
    static func check() throws(ScaffoldError) {
        let number = interruption.load(ordering: .sequentiallyConsistent)
        if number != 0 { throw ScaffoldError("interrupted", signal: number) }
    }
}

/// The number of the last signal; 0 if none was received.
private let interruption = Atomic<Int32>(0)
/// The thread whose system calls are interrupted.
private let worker = Atomic<pthread_t>(0)

/// Signal handler, on any thread: uses only atomics and async-signal-safe functions.
private func receive(_ number: Int32) {
    interruption.store(number, ordering: .sequentiallyConsistent)
    let thread = worker.load(ordering: .sequentiallyConsistent)
    if thread != pthread_self() { pthread_kill(thread, number) }
}
