import Foundation

/// Another process that holds a lock on a database for the lifetime of this value.
public final class HeldDatabase {
    private let process = Process()
    private let input = Pipe()

    /// Starts the process, and returns when it holds the lock.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - forWritingOnly: Whether others can still read.
    /// - Throws: An error if it cannot be locked.
    public init(_ path: String, forWritingOnly: Bool = false) throws {
        let output = Pipe()
        process.executableURL = BuiltProducts.storageDriver
        process.arguments = [forWritingOnly ? "lock-writing" : "lock", path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = output.fileHandleForReading.availableData
        guard line == Data("locked\n".utf8) else { throw FixtureError(description: "\(path) was not locked") }
    }

    deinit { release() }

    /// Releases the lock; returns when the process has ended.
    public func release() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
