import Foundation
import TestSupport
import Testing

/// A text file of the project.
struct RepositoryFile: Sendable, CustomStringConvertible {
    /// From the package's directory.
    let path: String
    let bytes: Data

    var description: String { path }

    /// Repaired where it is no UTF-8.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    var isSwift: Bool { path.hasSuffix(".swift") }

    func contains(_ text: String) -> Bool { bytes.range(of: Data(text.utf8)) != nil }

    /// The lines in which `text` occurs, with their numbers from 1. Quick where it does not.
    func lines(with text: String) -> [(number: Int, line: Substring)] {
        guard contains(text) else { return [] }
        return self.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { $0.element.contains(text) }.map { ($0.offset + 1, $0.element) }
    }

    /// All of them. It needs no git: an archive of the project is checked as a checkout is. What builds, git and editors
    /// leave is in hidden folders, or named in `leftovers`.
    static let all = files(in: BuiltProducts.packageDirectory, as: "").sorted { $0.path < $1.path }

    private static func files(in folder: URL, as path: String) -> [RepositoryFile] {
        let keys: Set<URLResourceKey> = [.isDirectoryKey, .isRegularFileKey]
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys))
        return (found ?? []).flatMap { url -> [RepositoryFile] in
            let name = url.lastPathComponent
            let kind = try? url.resourceValues(forKeys: keys)
            if kind?.isDirectory == true {
                return name.hasPrefix(".") && name != ".ci" ? [] : files(in: url, as: "\(path)\(name)/")
            }
            guard kind?.isRegularFile == true, !leftovers.contains(where: name.hasSuffix) else { return [] }
            let bytes = try? Data(contentsOf: url)
            // Others are no text.
            return bytes.map { $0.contains(0) ? [] : [RepositoryFile(path: path + name, bytes: $0)] } ?? []
        }
    }

    private static let leftovers = ["Package.resolved", ".so", ".o", ".swp", "~", ".DS_Store"]

    /// Those of Swift.
    static let swift = all.filter(\.isSwift)
}
