import Foundation

/// Another process that has a database locked, as long as this value lives.
public final class HeldDatabase {
    private let process = Process()
    private let input = Pipe()

    /// Returns when the process has it.
    ///
    /// - Parameters:
    ///   - path: of the database.
    ///   - forWritingOnly: lets others read; else nobody gets in.
    /// - Throws: when it cannot be locked.
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

    /// Lets go of it; returns when the process has ended.
    public func release() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
