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
