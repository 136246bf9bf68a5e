package import Glibc

/// An open file that passed the trust checks; closed when this value is destroyed.
package struct OpenFile: ~Copyable {
    /// The descriptor, open for reading.
    package let descriptor: Int32
    /// The absolute path without links, which the dynamic loader is given.
    package let path: String
    /// The identity of the file that was checked.
    package let identity: FileIdentity

    /// Whether `path` still leads to the same file in the same state. Checked before and after the dynamic loader opens
    /// the path.
    package var isUnchanged: Bool { FileIdentity(path: path) == identity }

    /// Returns the bytes of the file; fewer than its size if it has become shorter.
    ///
    /// - Throws: `notReadable` with the system's error message.
    package func contents() throws(ComponentFileError) -> [UInt8] {
        var buffer = FileBuffer(capacity: max(Int(identity.size), 1))
        try buffer.fill(Int(identity.size), at: 0, from: descriptor)
        return unsafe [UInt8](buffer.bytes)
    }

    deinit { close(descriptor) }
}

/// An open directory that passed the trust checks; closed when this value is destroyed.
package struct OpenDirectory: ~Copyable {
    /// The descriptor, open for reading.
    package let descriptor: Int32
    /// The absolute path, without links.
    package let path: String
    /// The identity of the directory that was checked.
    package let identity: FileIdentity

    /// Returns the path of an entry in the directory.
    package func path(of name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

    deinit { close(descriptor) }
}

/// The identity and state of a file. Two values are equal as long as the file has not been written to or replaced, and
/// its owner, permissions, name and number of links have not changed.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
    /// The size in bytes.
    package let size: Int64
    /// The time of the last change to the content, since 1970.
    package let modifiedSeconds: Int64
    package let modifiedNanoseconds: Int64
    /// The time of the last change to the content or the metadata, since 1970. Unlike the modification time, it cannot
    /// be set back.
    package let changedSeconds: Int64
    package let changedNanoseconds: Int64

    package init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modifiedSeconds = Int64(status.st_mtim.tv_sec)
        modifiedNanoseconds = Int64(status.st_mtim.tv_nsec)
        changedSeconds = Int64(status.st_ctim.tv_sec)
        changedNanoseconds = Int64(status.st_ctim.tv_nsec)
    }

    /// Reads the identity of the file at `path`, following links; nil when there is none.
    package init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Returns whether only the change time differs. Then either permissions, owner, name or links have changed, or the
    /// content was written to and the modification time was set back. Only the content can tell which.
    package func differsOnlyInChangeTime(from other: FileIdentity) -> Bool {
        self != other && device == other.device && inode == other.inode && size == other.size
            && modifiedSeconds == other.modifiedSeconds && modifiedNanoseconds == other.modifiedNanoseconds
    }
}
