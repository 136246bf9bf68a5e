import Foundation
import TestSupport

/// Compiles C and C++ in a temporary folder.
struct Compiler {
    /// The folder of hslink.h.
    static let include = BuiltProducts.packageDirectory.appending(path: "Sources/Boundary/CHSLink/include")

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "hslink-header-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    /// Runs a compiler of the search path in the folder.
    ///
    /// - Returns: Its messages and its exit status.
    func run(_ command: [String]) throws -> (output: String, status: Int32) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = folder
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: output, as: UTF8.self), process.terminationStatus)
    }
}
