import Foundation

/// A process of another user that listens on a socket and accepts any bytes. Needs root.
public final class ForeignListener {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Whether it can be started.
    public static var isAllowed: Bool { geteuid() == 0 }

    /// Starts the process, and returns when it listens.
    ///
    /// - Parameters:
    ///   - socket: A path that does not exist yet.
    ///   - user: The user of the process.
    ///   - owner: The owner of the socket's file.
    /// - Throws: An error if it cannot listen.
    public init(at socket: String, user: UInt32, owner: UInt32) throws {
        process.executableURL = BuiltProducts.storageDriver
        process.arguments = ["listen", socket, "\(user)", "\(owner)"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = output.fileHandleForReading.availableData
        guard line == Data("listening\n".utf8) else { throw FixtureError(description: "nobody listens at \(socket)") }
    }

    /// Ends the process; returns the number of bytes that clients have sent.
    public func end() -> Int? {
        try? input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard text.hasPrefix("received "), text.hasSuffix("\n") else { return nil }
        return Int(text.dropFirst("received ".count).dropLast())
    }
}
