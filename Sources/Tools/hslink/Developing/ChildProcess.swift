import CGlibc
import Glibc
import SystemSupport

/// A child process in its own process group.
struct ChildProcess {
    let identifier: pid_t

    /// The destination of a child's standard output.
    enum Output {
        case standardOutput, standardError
        /// An open file with this descriptor.
        case file(Int32)
    }

    /// Starts a program with an empty standard input.
    ///
    /// - Parameters:
    ///   - words: the program and its arguments; a name without a slash is looked up in PATH.
    ///   - output: the destination of its standard output.
    /// - Throws: a ``DevError`` with the system's error message if the program cannot be started.
    init(_ words: [String], output: Output) throws(DevError) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        switch output {
        case .standardOutput: break
        case .standardError: unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        case .file(let file): unsafe posix_spawn_file_actions_adddup2(&actions, file, STDOUT_FILENO)
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var (none, ignored) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigemptyset(&ignored)
        unsafe sigaddset(&ignored, SIGPIPE)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &ignored)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe arguments.indices { unsafe free(arguments[index]) }
        }
        var child: pid_t = 0
        let error = unsafe posix_spawnp(&child, words[0], &actions, &attributes, &arguments, environ)
        guard error == 0 else { throw DevError("\(words[0].escaped): cannot be started: \(systemMessage(error))") }
        identifier = child
    }

    /// Reaps all children that have exited.
    ///
    /// - Returns: the exit status of each, or 128 plus the number of the signal that ended it.
    static func reap() -> [pid_t: Int32] {
        var ended: [pid_t: Int32] = [:]
        var status: Int32 = 0
        while true {
            let child = unsafe waitpid(-1, &status, WNOHANG)
            if child < 0 && errno == EINTR { continue }
            guard child > 0 else { return ended }
            let signal = status & 0x7F
            ended[child] = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        }
    }

    /// Makes this process the parent of descendants whose parents exit, so that ``endAll()`` finds them.
    static func adoptOrphans() { hslink_adopt_orphans() }

    /// Ends all descendants of this process and waits for them. A signal to one process group would not suffice,
    /// because build systems run compilers in groups of their own.
    ///
    /// - Parameter kept: a child that goes on, with its own descendants, and is not reaped.
    static func endAll(besides kept: pid_t? = nil) {
        var signal = SIGTERM
        for round in 0..<500 {
            let processes = descendants(besides: kept)
            if processes.isEmpty { return }
            for process in processes { kill(process, signal) }
            // Those that are children of others fail; they are children of this process when their parents have ended.
            for process in processes { _ = waitpid(process, nil, WNOHANG) }
            usleep(10_000)
            // The remaining processes have ignored SIGTERM for a second.
            if round == 100 { signal = SIGKILL }
        }
    }

    /// Returns all descendants of this process, without `kept` and its own.
    private static func descendants(besides kept: pid_t?) -> [pid_t] {
        guard let entries = try? DirectoryEntries("/proc") else { return [] }
        var children: [pid_t: [pid_t]] = [:]
        for entry in entries {
            guard let process = pid_t(entry.name), process != kept, let parent = parent(of: process) else { continue }
            children[parent, default: []].append(process)
        }
        var found: [pid_t] = []
        var rest = children[Glibc.getpid()] ?? []
        while let process = rest.popLast() {
            found.append(process)
            rest += children[process] ?? []
        }
        return found
    }

    private static func parent(of process: pid_t) -> pid_t? {
        guard let bytes = try? InputFile.read("/proc/\(process)/stat", limit: 4096) else { return nil }
        // The program's name, in parentheses, may contain spaces and parentheses itself.
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[end...].split(separator: " ")
        return fields.count > 2 ? pid_t(fields[2]) : nil
    }
}

/// The reason why sources cannot be watched, built or installed.
struct DevError: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
