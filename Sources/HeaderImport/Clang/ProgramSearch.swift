import Glibc

/// Finds programs as a shell does.
enum ProgramSearch {
    /// The folders of the variable PATH.
    static var directories: [String] {
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? ""
        return path.split(separator: ":").map(String.init)
    }

    /// The path of a program in PATH; nil when there is none.
    static func program(_ name: String) -> String? {
        directories.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }
}
