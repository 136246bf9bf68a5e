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

/// Which file it is and in which state: equal as long as nobody has written to it, put another in its place, or
/// changed its owner, permissions, name or number of links.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
    /// Bytes.
    package let size: Int64
    /// Time of the last change to the content, since 1970.
    package let modifiedSeconds: Int64
    package let modifiedNanoseconds: Int64
    /// Time of the last change to the content or to what is said about it, since 1970. Unlike the other one it cannot
    /// be set back.
    package let changedSeconds: Int64
    package let changedNanoseconds: Int64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modifiedSeconds = Int64(status.st_mtim.tv_sec)
        modifiedNanoseconds = Int64(status.st_mtim.tv_nsec)
        changedSeconds = Int64(status.st_ctim.tv_sec)
        changedNanoseconds = Int64(status.st_ctim.tv_nsec)
    }

    /// Of the file at `path`, links followed; nil when there is none.
    package init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Whether nothing but the last of the times tells the two apart: then permissions, owner, name or links were
    /// changed, or somebody wrote to the file and set its other time back. Only the content tells which.
    func differsOnlyInChangeTime(from other: FileIdentity) -> Bool {
        self != other && device == other.device && inode == other.inode && size == other.size
            && modifiedSeconds == other.modifiedSeconds && modifiedNanoseconds == other.modifiedNanoseconds
    }
}
