import ComponentHost
import ComponentKit
import Foundation
import Logging
import TestSupport

/// Calls `body` with a host that finds only these descriptions of `Tests/Descriptions`.
func withLibraries<Result>(
    _ names: String..., body: (LinkHost) async throws -> Result
) async throws -> Result {
    try await withPlugins { plugins in
        for name in names {
            let file = BuiltProducts.packageDirectory.appending(path: "Tests/Descriptions/\(name).hslink.json")
            try plugins.add(file: file)
        }
        if names.contains("plain") { try plugins.add("PlainFunctions") }
        if names.contains("memory") || names.contains("tree") { try plugins.add("MemoryFunctions") }
        return try await withHost(over: plugins, body)
    }
}

/// Does the same with descriptions as texts, next to the library of the `plain` functions.
func withDescription<Result>(
    _ texts: String..., body: (LinkHost) async throws -> Result
) async throws -> Result {
    try await withPlugins("PlainFunctions") { plugins in
        for (index, text) in texts.enumerated() { try plugins.write(text, to: "described\(index).hslink.json") }
        return try await withHost(over: plugins, body)
    }
}

private func withHost<Result>(
    over plugins: PluginDirectory, _ body: (LinkHost) async throws -> Result
) async throws -> Result {
    var options = HostOptions()
    options.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: options)
    let result = try await body(host)
    await host.stop()
    return result
}

/// Returns the error of a call; nil if it was performed.
func failure(_ body: () async throws -> Payload) async -> LinkError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? LinkError
    }
}

/// Runs a program in Python and returns what it prints.
func python(_ program: String, _ arguments: String...) async throws -> String {
    let run = try await ProgramRun.of(
        URL(filePath: "/usr/bin/env"), ["python3", "-c", program] + arguments, environment: ["PYTHONUTF8": "1"])
    guard run.status == 0 else { throw LinkError(.methodFailed, message: "python3: \(run.standardError)") }
    return run.standardOutput
}

/// The installed system libraries.
enum SystemLibraries {
    /// Whether `libcrypto.so.3` is installed.
    static var hasCrypto: Bool { has("libcrypto.so.3") }

    /// Whether a library is installed.
    static func has(_ name: String) -> Bool {
        ["/lib", "/usr/lib"].contains { folder in
            ["x86_64-linux-gnu", "aarch64-linux-gnu", "."].contains {
                FileManager.default.fileExists(atPath: "\(folder)/\($0)/\(name)")
            }
        }
    }
}
