import Glibc
import SystemSupport

extension Catalog {
    /// Returns the directories to search when the application names none.
    ///
    /// These are the directories in `HSLINK_PATH`, separated by colons (empty entries are ignored). If there are none,
    /// it is `plugins` next to the program. If that does not exist and the program is in a folder named `bin`, it is
    /// `lib/hslink/plugins` next to that folder, as in an installation, provided that this directory exists.
    ///
    /// - Parameters:
    ///   - environment: The environment of the process.
    ///   - executable: The path of the program; empty when it is unknown.
    ///   - exists: Returns whether a file or directory exists at a path.
    /// - Returns: The paths as they were given; empty when the variable is not set and the program's path is unknown.
    package static func defaultDirectories(
        environment: [String: String], executable: String, exists: (String) -> Bool
    ) -> [String] {
        let given = environment["HSLINK_PATH"]?.exactParts(between: ":") ?? []
        if !given.isEmpty { return given }
        guard let slash = executable.utf8.lastIndex(of: UInt8(ascii: "/")) else { return [] }
        let folder = String(executable[..<slash])
        let beside = "\(folder)/plugins"
        let installed = "\(folder.dropLast("/bin".count))/lib/hslink/plugins"
        return [folder.hasExactSuffix("/bin") && !exists(beside) && exists(installed) ? installed : beside]
    }

    /// Returns the default directories of this process.
    package static func defaultDirectories() -> [String] {
        var environment: [String: String] = [:]
        if let value = unsafe getenv("HSLINK_PATH") { environment["HSLINK_PATH"] = unsafe String(cString: value) }
        return defaultDirectories(environment: environment, executable: RunningProgram.path ?? "") { path in
            unsafe access(path, F_OK) == 0
        }
    }
}
