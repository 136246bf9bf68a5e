import ComponentKit
import Dispatch
public import Foundation
import Glibc

/// A folder of files that can be made again. The files that were written first go when space is needed.
///
/// Other hosts may use the same folder, so a file is written whole and put in place by renaming. Accesses run on a queue
/// of their own, one at a time, never on Swift's cooperative thread pool.
public struct CacheFolder: Sendable {
    private let limit: Int
    private let mostFiles: Int
    private let name: String
    private let directory: @Sendable () throws -> String
    private let queue = DispatchQueue(label: "cache.folder")

    /// Describes a folder, which is created at the first access.
    ///
    /// - Parameters:
    ///   - name: The name of the folder.
    ///   - limit: The space for all files, in bytes.
    ///   - mostFiles: How many files there may be.
    ///   - directory: Returns the path of the directory that contains the folder.
    public init(
        _ name: String, limit: Int, mostFiles: Int = .max, in directory: @escaping @Sendable () throws -> String
    ) {
        self.name = name
        self.limit = limit
        self.mostFiles = mostFiles
        self.directory = directory
    }

    /// Writes a file, then removes the oldest others until the rest fits.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - file: The name of the file, without slashes. An existing file is replaced.
    ///   - check: Reads the new file, under another name, before it replaces an existing one. If it throws, nothing has
    ///     changed.
    /// - Returns: The absolute path of the file, which another write may remove, and what `check` has returned.
    /// - Throws: An error of the system, such as a full disk, a `LinkError` if the host keeps no caches, or the error of
    ///   `check`.
    public func write<Value: Sendable>(
        _ data: Data, to file: String, check: @escaping @Sendable (_ path: String) throws -> Value
    ) async throws -> (path: String, checked: Value) {
        try await onQueue { try store(data, as: file, check) }
    }

    /// Writes a file as ``write(_:to:check:)`` does, and blocks until it is written.
    public func writeAndWait(_ data: Data, to file: String) throws {
        try queue.sync { _ = try store(data, as: file) { _ in } }
    }

    /// Returns the content of a file; nil if there is none, or it cannot be read. Removes what this folder has not
    /// written: what is larger than all files together may be, or no file at all.
    public func read(_ file: String) async -> Data? {
        try? await onQueue { try load(file) }
    }

    /// Returns the content of a file as ``read(_:)`` does, and blocks until it is read.
    public func readAndWait(_ file: String) -> Data? { queue.sync { try? load(file) } }

    /// Removes a file, if there is one.
    public func remove(_ file: String) async {
        try? await onQueue { try FileManager.default.removeItem(at: try folder().appending(path: file)) }
    }

    private func store<Value>(
        _ data: Data, as file: String, _ check: (_ path: String) throws -> Value
    ) throws -> (path: String, checked: Value) {
        let folder = try folder()
        let part = folder.appending(path: ".\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: part) }
        try data.write(to: part)
        let checked = try check(part.path)
        let place = folder.appending(path: file)
        guard unsafe rename(part.path, place.path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: place.path])
        }
        prune(folder, sparing: file)
        return (place.path, checked)
    }

    private func load(_ file: String) throws -> Data {
        let place = try folder().appending(path: file)
        let values = try place.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
        guard values.isRegularFile == true, values.fileSize.map({ $0 <= limit }) == true else {
            try FileManager.default.removeItem(at: place)
            throw CocoaError(.fileReadTooLarge)
        }
        return try Data(contentsOf: place)
    }

    private func folder() throws -> URL {
        let folder = URL(filePath: try directory(), directoryHint: .isDirectory).appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private func prune(_ folder: URL, sparing spared: String) {
        let keys: [URLResourceKey] = [.contentModificationDateKey, .fileSizeKey]
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: keys)
        var files: [(place: URL, size: Int, date: Date)] = (found ?? []).compactMap { place in
            guard let values = try? place.resourceValues(forKeys: Set(keys)), let size = values.fileSize else {
                return nil
            }
            return (place, size, values.contentModificationDate ?? .distantPast)
        }
        var total = files.reduce(0) { $0 + $1.size }
        var count = files.count
        guard total > limit || count > mostFiles else { return }
        files.sort { $0.date < $1.date }
        for old in files where (total > limit || count > mostFiles) && old.place.lastPathComponent != spared {
            try? FileManager.default.removeItem(at: old.place)
            total -= old.size
            count -= 1
        }
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await awaitResume { resume in queue.async { resume(Result { try body() }) } }.get()
    }
}
