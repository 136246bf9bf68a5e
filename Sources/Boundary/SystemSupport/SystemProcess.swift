import Glibc

/// A process of this system, for messages.
package struct SystemProcess: Hashable, Sendable {
    /// The number of the process.
    package let identifier: Int32

    package init(_ identifier: Int32) { self.identifier = identifier }

    /// Whether the process exists and has not ended; a process that has ended may still wait for its parent.
    package var isRunning: Bool {
        guard identifier > 0 else { return false }
        guard let status = SystemProcess.text(at: "/proc/\(identifier)/stat") else {
            return kill(identifier, 0) == 0 || errno == EPERM
        }
        // The name in parentheses may itself contain parentheses; the state follows the last one.
        let state = status.utf8.lastIndex(of: UInt8(ascii: ")")).map { status.utf8[$0...].dropFirst(2).first }
        return state != UInt8(ascii: "Z") && state != UInt8(ascii: "X")
    }

    /// The process as in `process 17 (hslink)`, safe to show on a terminal.
    package var summary: String {
        let name = SystemProcess.text(at: "/proc/\(identifier)/comm")?.split(separator: "\n").first ?? ""
        return "process \(identifier)" + (name.isEmpty ? "" : " (\(name.escaped))")
    }

    /// Returns the processes that have a file open, as far as this process may see that. Slow: it reads the descriptors
    /// of all processes.
    ///
    /// - Parameter target: What the system shows for a descriptor of the file: its path without links, or
    ///   `socket:[INODE]`.
    package static func holding(_ target: String) -> [SystemProcess] {
        names(in: "/proc").compactMap { Int32($0) }.sorted().filter { identifier in
            let folder = "/proc/\(identifier)/fd"
            return names(in: folder).contains { name in
                // The links are only read: following one may block.
                link("\(folder)/\(name)").map { $0.utf8.elementsEqual(target.utf8) } ?? false
            }
        }.map(SystemProcess.init)
    }

    private static func names(in directory: String) -> [String] {
        guard let entries = try? DirectoryEntries(directory) else { return [] }
        return entries.map(\.name)
    }

    private static func link(_ path: String) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let length = unsafe readlink(path, start, buffer.count)
            guard length > 0 else { return nil }
            return unsafe String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Returns the first bytes of a small file of the system.
    private static func text(at path: String) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
