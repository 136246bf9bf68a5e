import Glibc
import SystemSupport

/// The output and exit status of a program. Uses posix_spawn to avoid a dependency on Foundation or another package.
package struct ProgramOutput: Sendable {
    package let standardOutput: [UInt8]
    package let standardError: String
    /// The wait status as reported by waitpid; 0 if the program succeeded.
    package let status: Int32

    /// Runs a program and waits until it ends. Its output goes to temporary files, so nothing has to be read while it
    /// runs.
    ///
    /// - Parameters:
    ///   - program: The path of the program.
    ///   - arguments: The arguments, without the program's name.
    ///   - input: The text for its standard input.
    /// - Throws: `ProgramError` if the program can't be started, with the system's error message, or if a temporary file
    ///   can't be used.
    package static func of(_ program: String, _ arguments: [String], input: String) throws(ProgramError)
        -> ProgramOutput
    {
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
            throw ProgramError("can't start \(program): \(systemMessage(error))")
        }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw ProgramError("can't wait for \(program) to end") }
        }
        return ProgramOutput(
            standardOutput: try read(files[1]), standardError: String(decoding: try read(files[2]), as: UTF8.self),
            status: status)
    }

    /// Opens an unlinked temporary file, which disappears when it is closed.
    private static func temporaryFile() throws(ProgramError) -> Int32 {
        // A repaired path could be that of another directory.
        let directory = unsafe getenv("TMPDIR").flatMap { unsafe String(validatingCString: $0) } ?? "/tmp"
        var template = Array("\(directory)/hslink-XXXXXX".utf8CString)
        let file = unsafe mkstemp(&template)
        guard file >= 0 else {
            throw ProgramError("can't create a temporary file in \(directory): \(systemMessage(errno))")
        }
        unsafe unlink(template)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return file
    }

    private static func write(_ bytes: [UInt8], to file: Int32) throws(ProgramError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw ProgramError("can't write to a temporary file") }
            rest = rest.dropFirst(count)
        }
        lseek(file, 0, SEEK_SET)
    }

    private static func read(_ file: Int32) throws(ProgramError) -> [UInt8] {
        let size = Int(lseek(file, 0, SEEK_END))
        lseek(file, 0, SEEK_SET)
        guard size >= 0 else { throw ProgramError("can't read a temporary file") }
        // An array of capacity 0 uses storage that all threads share, and the initialiser would write to it.
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
        guard !failed else { throw ProgramError("can't read a temporary file") }
        return bytes
    }
}

/// The reason why a program could not be run.
package struct ProgramError: Error {
    /// What failed, with the system's error message.
    package let message: String

    init(_ message: String) { self.message = message }
}

/// Finds programs in PATH, as a shell does.
package enum ProgramSearch {
    /// The directories in the variable PATH.
    package static var directories: [String] {
        (RunningProgram.variable("PATH") ?? "").exactParts(between: ":")
    }

    /// Returns the path of a program in PATH, or nil if PATH has none.
    package static func program(_ name: String) -> String? {
        directories.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }
}
