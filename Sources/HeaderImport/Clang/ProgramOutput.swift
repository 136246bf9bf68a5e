import Glibc
import SystemSupport

/// What a program printed, and how it ended. By posix_spawn, to be free of Foundation and of a package for one program.
struct ProgramOutput {
    let standardOutput: [UInt8]
    let standardError: String
    /// 0 when it did what it should.
    let status: Int32

    /// Runs a program to its end, with all of its output in files: nothing has to be read while it runs.
    ///
    /// - Parameters:
    ///   - program: its path.
    ///   - arguments: without its name.
    ///   - input: for its standard input.
    /// - Throws: when it can't be started, with the system's message.
    static func of(_ program: String, _ arguments: [String], input: String) throws(ImportError) -> ProgramOutput {
        let files = [try temporaryFile(), try temporaryFile(), try temporaryFile()]
        defer { for file in files { close(file) } }
        try write(Array(input.utf8), to: files[0])

        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, file) in files.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, file, Int32(number))
        }
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
        }
        var child: pid_t = 0
        let error = unsafe posix_spawn(&child, program, &actions, nil, &words, environ)
        guard error == 0 else {
            throw ImportError("\(program) can't be started: \(systemMessage(error))")
        }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw ImportError("\(program) can't be waited for") }
        }
        return ProgramOutput(
            standardOutput: try read(files[1]), standardError: String(decoding: try read(files[2]), as: UTF8.self),
            status: status)
    }

    /// A file without a name: it is gone when it is closed.
    private static func temporaryFile() throws(ImportError) -> Int32 {
        let directory = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(directory)/hslink-import-XXXXXX".utf8CString)
        let file = unsafe mkstemp(&template)
        guard file >= 0 else {
            throw ImportError("no temporary file in \(directory): \(systemMessage(errno))")
        }
        unsafe unlink(template)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return file
    }

    private static func write(_ bytes: [UInt8], to file: Int32) throws(ImportError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw ImportError("a temporary file could not be written") }
            rest = rest.dropFirst(count)
        }
        lseek(file, 0, SEEK_SET)
    }

    private static func read(_ file: Int32) throws(ImportError) -> [UInt8] {
        let size = Int(lseek(file, 0, SEEK_END))
        lseek(file, 0, SEEK_SET)
        guard size >= 0 else { throw ImportError("a temporary file could not be read") }
        // An array without room is one that all threads share, and would be written to.
        guard size > 0 else { return [] }
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            while filled < size {
                let count = unsafe Glibc.read(file, buffer.baseAddress?.advanced(by: filled), size - filled)
                guard count > 0 else {
                    failed = true
                    return
                }
                filled += count
            }
        }
        guard !failed else { throw ImportError("a temporary file could not be read") }
        return bytes
    }
}

/// Finds programs as a shell does.
enum ProgramSearch {
    /// The folders of the variable PATH.
    static var directories: [String] {
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? ""
        return path.split(separator: ":").map(String.init)
    }

    /// The path of a program in PATH; nil when there is none.
    static func program(_ name: String) -> String? {
        directories.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }
}
