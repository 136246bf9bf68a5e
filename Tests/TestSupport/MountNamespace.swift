public import Foundation

/// Programs that see file systems of their own. Needs root, or namespaces of users.
public enum MountNamespace {
    /// Whether the system allows it; where not, tests that need one are left out.
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

    /// Runs a program after a preparation by shell.
    ///
    /// - Parameters:
    ///   - preparation: shell commands, which see the words of `values` as $1, $2, ….
    ///   - values: for the preparation.
    ///   - program: runs in the same namespace, if the preparation succeeded.
    ///   - arguments: without the program's name.
    public static func run(
        _ preparation: String, _ values: [String], _ program: URL, _ arguments: [String]
    ) async throws -> ProgramRun {
        let script = "\(preparation) && shift \(values.count) && exec \"$@\""
        return try await ProgramRun.of(
            URL(filePath: "/bin/sh"),
            ["-c", "exec unshare \(flags) sh -c '\(script)' sh \"$@\"", "sh"] + values + [program.path] + arguments)
    }
}
