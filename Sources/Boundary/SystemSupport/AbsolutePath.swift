import Glibc

/// Paths that do not depend on the current directory, which any code in the process may change.
package enum AbsolutePath {
    /// Returns the path itself if it is absolute or empty, otherwise the path below the current directory. Links are not
    /// followed, and nothing has to exist there.
    package static func of(_ path: String) -> String { of(path, below: currentDirectory()) }

    /// Returns the path itself if it is absolute or empty, otherwise the path below a directory.
    package static func of(_ path: String, below directory: String) -> String {
        guard !path.isEmpty, !path.hasExactPrefix("/") else { return path }
        var rest = path.utf8[...]
        while rest.starts(with: "./".utf8) {
            rest = rest.dropFirst(2).drop { $0 == UInt8(ascii: "/") }
        }
        if rest.isEmpty || rest.elementsEqual(".".utf8) { return directory }
        return "\(directory == "/" ? "" : directory)/\(Substring(rest))"
    }

    /// Returns the absolute path with symbolic links resolved; nil if the file does not exist or cannot be reached, or if
    /// that path is not UTF-8.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(validatingCString: resolved)
    }

    /// What stands for the current directory if its path is not UTF-8. A repaired path could be that of another one.
    private static let unreadableDirectory = "/(directory whose path is not UTF-8)"

    /// Returns the current directory. If it has been removed, or its path is not UTF-8, nothing can be found below what
    /// is returned.
    package static func currentDirectory() -> String {
        guard let current = unsafe getcwd(nil, 0) else { return "/(removed directory)" }
        defer { unsafe free(current) }
        return unsafe String(validatingCString: current) ?? unreadableDirectory
    }

    /// Whether paths below the current directory can be told: its path is UTF-8, or it has been removed.
    package static var hasReadableDirectory: Bool { !currentDirectory().isExactly(unreadableDirectory) }
}

extension String {
    /// The directory and the last name of a path. The directory is "." when the path has no slash, and "/" when its only
    /// slash is the first character.
    package var splitPath: (directory: String, name: String) {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", self) }
        let name = String(self[utf8.index(after: slash)...])
        return (slash == startIndex ? "/" : String(self[..<slash]), name)
    }
}
