import Glibc

/// A file that was opened and found trustworthy; closed when this value ends.
package struct OpenFile: ~Copyable {
    /// Open for reading.
    package let descriptor: Int32
    /// Absolute, without links; what the dynamic loader is to open.
    package let path: String
    /// What was looked at.
    package let identity: FileIdentity

    /// Whether `path` still leads to the same file in the same state: asked before and after the dynamic
    /// loader has opened it by its path.
    package var isUnchanged: Bool { FileIdentity(path: path) == identity }

    deinit { close(descriptor) }
}

/// A directory that was opened and found trustworthy; closed when this value ends.
package struct OpenDirectory: ~Copyable {
    /// Open for reading.
    package let descriptor: Int32
    /// Absolute, without links.
    package let path: String
    /// What was looked at.
    package let identity: FileIdentity

    /// The path of something in it.
    func path(of name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

    deinit { close(descriptor) }
}
