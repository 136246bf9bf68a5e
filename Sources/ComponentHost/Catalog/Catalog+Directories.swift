import Glibc
import SystemSupport

extension Catalog {
    /// Where components are searched when the application does not say: the directories of `HSLINK_PATH`,
    /// separated by colons (empty ones do not count), else `plugins` beside the program; where there is none of that
    /// and the program lies in a folder `bin`, `lib/hslink/plugins` beside that folder, as an installation has it.
    ///
    /// - Parameters:
    ///   - environment: of the process.
    ///   - executable: the path of the program; empty when it is unknown.
    ///   - exists: whether there is something at a path.
    /// - Returns: paths as they were given; none when there is no variable and no program.
    package static func defaultDirectories(
        environment: [String: String], executable: String, exists: (String) -> Bool
    ) -> [String] {
        let given = environment["HSLINK_PATH"]?.split(separator: ":").map(String.init) ?? []
        if !given.isEmpty { return given }
        guard let slash = executable.utf8.lastIndex(of: UInt8(ascii: "/")) else { return [] }
        let folder = executable[..<slash]
        let beside = "\(folder)/plugins"
        let installed = "\(folder.dropLast("/bin".count))/lib/hslink/plugins"
        return [folder.hasSuffix("/bin") && !exists(beside) && exists(installed) ? installed : beside]
    }

    /// The same for this process.
    package static func defaultDirectories() -> [String] {
        var environment: [String: String] = [:]
        if let value = unsafe getenv("HSLINK_PATH") { environment["HSLINK_PATH"] = unsafe String(cString: value) }
        return defaultDirectories(environment: environment, executable: RunningProgram.path ?? "") { path in
            unsafe access(path, F_OK) == 0
        }
    }
}
