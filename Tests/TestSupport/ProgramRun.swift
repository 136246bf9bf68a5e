public import Foundation

/// The result of a program: its output, and how it ended.
public struct ProgramRun: Sendable, Hashable {
    /// Its standard output; invalid UTF-8 is repaired.
    public let standardOutput: String
    /// Its standard error; invalid UTF-8 is repaired.
    public let standardError: String
    /// Its exit status, or the negative number of the signal that ended it.
    public let status: Int32

    /// Compares the result with an expectation.
    public init(standardOutput: String, standardError: String, status: Int32) {
        self.standardOutput = standardOutput
        self.standardError = standardError
        self.status = status
    }

    /// Runs a program to its end. Kills it with SIGKILL if that takes too long.
    ///
    /// - Parameters:
    ///   - program: The file of the program.
    ///   - arguments: The arguments, without the program's name.
    ///   - environment: Changes to the environment of this process; nil removes a variable. `HSLINK_PATH`,
    ///     `HSLINK_DATA`, `COLUMNS` and `NO_COLOR` are never inherited.
    ///   - input: Its standard input, which is empty by default.
    ///   - output: Receives its standard output instead of the result.
    ///   - patience: The time limit in seconds, multiplied by ``TestPatience/factor``.
    /// - Throws: An error if it cannot be started.
    public static func of(
        _ program: URL, _ arguments: [String], environment: [String: String?] = [:], input: String? = nil,
        output: FileHandle? = nil, patience: Int = 600
    ) async throws -> ProgramRun {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment
        for name in ["HSLINK_PATH", "HSLINK_DATA", "COLUMNS", "NO_COLOR"] { variables[name] = nil }
        variables.merge(environment.compactMapValues(\.self)) { $1 }
        for name in environment.filter({ $0.value == nil }).keys { variables[name] = nil }
        process.environment = variables

        // Files instead of pipes: nothing has to be read while the program runs, and processes that it leaves behind
        // cannot keep an end open.
        let scratch = FileManager.default.temporaryDirectory.appending(path: "hslink-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let files = try ["in", "out", "err"].map { name in
            let file = scratch.appending(path: name)
            try Data((name == "in" ? input ?? "" : "").utf8).write(to: file)
            return file
        }
        let handles = [
            try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1]),
            try FileHandle(forWritingTo: files[2]),
        ]
        // Foundation keeps them longer, and does not notice the end of processes once descriptors exceed 1024.
        defer { for handle in handles { try? handle.close() } }
        process.standardInput = handles[0]
        process.standardOutput = output ?? handles[1]
        process.standardError = handles[2]
        try await wait(for: process, patience: patience)
        let isSignal = process.terminationReason == .uncaughtSignal
        return ProgramRun(
            standardOutput: try text(of: files[1]), standardError: try text(of: files[2]),
            status: isSignal ? -process.terminationStatus : process.terminationStatus)
    }

    private static func wait(for process: Process, patience: Int) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try withUnblockedSignals { try process.run() }
            } catch {
                process.terminationHandler = nil
                return continuation.resume(throwing: error)
            }
            let identifier = process.processIdentifier
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(TestPatience.seconds(patience))) {
                [weak process] in
                if process?.isRunning == true { kill(identifier, SIGKILL) }
            }
        }
    }

    private static func text(of file: URL) throws -> String {
        String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
}
