public import Foundation

/// A new directory of component files that a host trusts: it and its files have mode 0755 and belong to the user.
public struct PluginDirectory: Sendable {
    /// The absolute path, without links.
    public let path: String

    /// The libraries to which a fixture is linked, in its directory or below it.
    private static let companions = [
        "Beside": ["libBesideText.so"], "ForeignEntry": ["lib/libForeignEntryDependency.so"],
    ]

    init() throws {
        let directory = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "hslink-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.path
        try setMode(0o755, of: path)
    }

    /// Copies a fixture, or a component of this package, with the libraries and the resources that belong to it.
    ///
    /// - Parameters:
    ///   - name: The name of the fixture; see ``Fixtures/file(_:)``.
    ///   - fileName: A different name for the copy.
    public func add(_ name: String, as fileName: String? = nil) throws {
        let file = try Fixtures.file(name)
        try copy(file, to: fileName ?? file.lastPathComponent)
        for companion in PluginDirectory.companions[name] ?? [] {
            try copy(try Fixtures.directory().appending(path: companion), to: companion)
        }
        let resources = BuiltProducts.packageDirectory.appending(path: "Plugins/\(name)/\(name).resources")
        guard let files = FileManager.default.enumerator(atPath: resources.path) else { return }
        for case let file as String in files where resources.appending(path: file).isFile {
            try copy(resources.appending(path: file), to: "\(name).resources/\(file)")
        }
    }

    /// Copies a file that was built elsewhere.
    ///
    /// - Parameter file: The file, which keeps its name.
    public func add(file: URL) throws { try copy(file, to: file.lastPathComponent) }

    /// Returns the path of a name in the directory.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file.
    public func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
        try setMode(0o755, of: file(name))
    }

    /// Sets the permissions of a file in the directory, or of the directory itself.
    public func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func copy(_ source: URL, to name: String) throws {
        let target = URL(filePath: file(name))
        let folder = target.deletingLastPathComponent().path
        if !FileManager.default.fileExists(atPath: folder) {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try setMode(0o755, of: folder)
        }
        // Moved into place, as operators should do, because a watching host might otherwise find half of the file.
        let part = URL(filePath: "\(folder)/.\(UUID().uuidString)")
        try FileManager.default.copyItem(at: source, to: part)
        try setMode(0o755, of: part.path)
        try FileManager.default.moveItem(at: part, to: target)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

extension URL {
    fileprivate var isFile: Bool { (try? resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) ?? false }
}

/// Calls `body` with a new directory of these fixtures, and removes it afterwards.
///
/// - Parameter names: The names of the fixtures; see ``Fixtures/file(_:)``.
public func withPlugins<Result>(
    _ names: String..., body: (PluginDirectory) async throws -> Result
) async throws -> Result {
    let directory = try PluginDirectory()
    defer { directory.remove() }
    for name in names { try directory.add(name) }
    return try await body(directory)
}

/// Does the same for tests that do not suspend.
public func withPlugins<Result>(
    _ names: String..., body: (PluginDirectory) throws -> Result
) throws -> Result {
    let directory = try PluginDirectory()
    defer { directory.remove() }
    for name in names { try directory.add(name) }
    return try body(directory)
}
