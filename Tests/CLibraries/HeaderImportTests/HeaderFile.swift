import CDeclarations
import Foundation
import HeaderImport
import TestSupport

/// A header for one test.
struct HeaderFile: ~Copyable {
    let path: String

    init(_ text: String, name: String = "test.h") throws {
        let directory = URL.temporaryDirectory.appending(path: "hslink-header-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let file = directory.appending(path: name)
        try Data(text.utf8).write(to: file)
        path = file.path
    }

    deinit { try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent()) }

    /// Imports it, from a library that has all symbols.
    func imported(only: String..., symbols: Set<String>? = nil) async throws -> ImportedHeader {
        var request = ImportRequest(
            headers: [path], libraries: [ImportRequest.Library(name: "libtest.so.1", symbols: symbols)])
        request.patterns = only.map { NamePattern($0) }
        return try await HeaderFile.imported(request)
    }
}

extension HeaderFile {
    /// Imports headers, and waits for a compiler slot.
    static func imported(_ request: ImportRequest) async throws -> ImportedHeader {
        try await onOwnThread { try HeaderImporter.read(request) }
    }

    /// Writes another header next to it.
    func add(_ other: borrowing HeaderFile, as path: String) throws {
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: other.path, toPath: path)
    }
}

extension ImportRequest.Library {
    /// A library whose symbols are not known.
    static let unknown = ImportRequest.Library(name: "libtest.so.1", symbols: nil)
}

extension ImportedHeader {
    /// Whether the written declarations can be read again, and every function can be called.
    var isReadable: Bool {
        let sources = declarations.enumerated().map { CSource(name: "declarations[\($0)]", text: $1) }
        let read = CDeclarations(parsing: sources)
        return read.diagnostics.isEmpty && read.functions.map(\.name) == functions
            && read.functions.allSatisfy { $0.obstacle == nil }
    }
}
