public import Foundation

/// Runs programs in a separate mount namespace. Needs root, or user namespaces.
public enum MountNamespace {
    /// Whether the system allows it; otherwise tests that need it are skipped.
    public static let isAllowed: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "unshare \(flags) sh -c 'mount -t tmpfs -o size=64k tmpfs /tmp'"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    private static let flags = geteuid() == 0 ? "-m" : "-rm"

    /// Runs a program after shell commands that prepare the namespace.
    ///
    /// - Parameters:
    ///   - preparation: Shell commands, which see `values` as $1, $2, ….
    ///   - values: The arguments of the preparation.
    ///   - program: The program, which runs in the same namespace if the preparation succeeds.
    ///   - arguments: The arguments, without the program's name.
    public static func run(
        _ preparation: String, _ values: [String], _ program: URL, _ arguments: [String]
    ) async throws -> ProgramRun {
        let script = "\(preparation) && shift \(values.count) && exec \"$@\""
        return try await ProgramRun.of(
            URL(filePath: "/bin/sh"),
            ["-c", "exec unshare \(flags) sh -c '\(script)' sh \"$@\"", "sh"] + values + [program.path] + arguments)
    }
}
