public import Foundation

extension PluginDirectory {
    /// Replaces a file with that of a fixture, atomically like a deployment.
    ///
    /// - Parameters:
    ///   - name: The name of the fixture; see ``Fixtures/file(_:)``.
    ///   - fileName: The name of the replaced file.
    public func replace(_ fileName: String, with name: String) throws {
        let hidden = ".\(fileName).\(UUID().uuidString.prefix(8))"
        try add(name, as: hidden)
        guard unsafe rename(file(hidden), file(fileName)) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Writes a copy of a fixture that has no name until it is complete, as with `O_TMPFILE`.
    public func link(_ name: String, as fileName: String) throws {
        let whole = try Data(contentsOf: try Fixtures.file(name))
        // O_TMPFILE, which Swift does not import; see open(2).
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | O_DIRECTORY | 0o20_000_000, 0o755)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: whole)
        let link = "/proc/self/fd/\(descriptor)"
        guard unsafe linkat(AT_FDCWD, link, AT_FDCWD, file(fileName), AT_SYMLINK_FOLLOW) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        try setMode(0o755, of: file(fileName))
        try handle.close()
    }

    /// Removes a file.
    public func delete(_ fileName: String) throws { try FileManager.default.removeItem(atPath: file(fileName)) }

    /// Writes the beginning of a fixture's file, like an unfinished copy.
    ///
    /// - Returns: The open file for writing the rest, and the remaining bytes.
    public func beginCopy(of name: String, as fileName: String, bytes: Int) throws -> (FileHandle, Data) {
        let whole = try Data(contentsOf: try Fixtures.file(name))
        let descriptor = unsafe open(file(fileName), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o755)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: whole.prefix(bytes))
        return (handle, whole.dropFirst(bytes))
    }
}
