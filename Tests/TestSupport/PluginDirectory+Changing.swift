public import Foundation

extension PluginDirectory {
    /// Puts a fixture's file in the place of whatever lies there, in one step as deployments do.
    ///
    /// - Parameters:
    ///   - name: see ``Fixtures/file(_:)``.
    ///   - fileName: what it replaces.
    public func replace(_ fileName: String, with name: String) throws {
        let hidden = ".\(fileName).\(UUID().uuidString.prefix(8))"
        try add(name, as: hidden)
        guard unsafe rename(file(hidden), file(fileName)) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Takes a file away.
    public func delete(_ fileName: String) throws { try FileManager.default.removeItem(atPath: file(fileName)) }

    /// Writes the beginning of a fixture's file, as somebody does who has not finished copying it.
    ///
    /// - Returns: the open file, to go on, and what is still to come.
    public func beginCopy(of name: String, as fileName: String, bytes: Int) throws -> (FileHandle, Data) {
        let whole = try Data(contentsOf: try Fixtures.file(name))
        let descriptor = unsafe open(file(fileName), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o755)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: whole.prefix(bytes))
        return (handle, whole.dropFirst(bytes))
    }
}
