import Glibc
import SystemSupport

/// Reads the source files of a target.
struct SourceFolder {
    private(set) var files: [SourceTarget.File] = []
    private(set) var problems: [(path: String, reason: String)] = []

    /// The largest file that is read. Generated files of several megabytes exist; larger ones are hardly sources.
    private static let maximumSize = 16 << 20
    /// The deepest folder that is read.
    private static let maximumDepth = 64
    private static let otherLanguages = [".c", ".cc", ".cpp", ".cxx", ".m", ".mm"]

    private struct Identity: Hashable {
        let device: UInt
        let node: UInt
    }

    /// The folders that were read, so that links that form a loop end.
    private var visited: Set<Identity> = []
    /// The absolute paths of files and folders to leave out.
    private let excluded: Set<ExactText>

    /// Reads the files below folders.
    ///
    /// - Parameters:
    ///   - roots: Folders or files: their paths on disk, and as they are printed.
    ///   - excluded: The absolute paths of files and folders to leave out.
    init(_ roots: [(path: String, shown: String)], excluding excluded: Set<ExactText>) {
        self.excluded = excluded
        for root in roots { visit(root.path, root.shown, depth: 0) }
    }

    private mutating func visit(_ path: String, _ shown: String, depth: Int) {
        guard !excluded.contains(ExactText(path)) else { return }
        var information = stat()
        guard unsafe stat(path, &information) == 0 else {
            // A dangling link, or a file that was deleted in the meantime. A compiler would complain only about sources.
            if depth == 0 || SourceFolder.isSource(path) { report(shown, errno) }
            return
        }
        switch information.st_mode & S_IFMT {
        case S_IFDIR:
            let identity = Identity(device: UInt(information.st_dev), node: UInt(information.st_ino))
            guard visited.insert(identity).inserted else { return }
            guard depth < SourceFolder.maximumDepth else {
                return problems.append((shown, "it lies more than \(SourceFolder.maximumDepth) folders deep"))
            }
            visitEntries(of: path, shown, depth: depth)
        case S_IFREG where SourceFolder.isSource(path):
            guard information.st_size <= SourceFolder.maximumSize else {
                return problems.append((shown, "it is larger than \(SourceFolder.maximumSize >> 20) MB"))
            }
            read(path, shown)
        default: break
        }
    }

    private mutating func visitEntries(of path: String, _ shown: String, depth: Int) {
        var names: [String] = []
        do throws(DirectoryEntries.Failure) {
            let entries = try DirectoryEntries(path)
            // SwiftPM ignores hidden files, too.
            for entry in entries where !entry.name.hasExactPrefix(".") {
                if entry.isText {
                    names.append(entry.name)
                } else {
                    problems.append(("\(shown)/\(entry.name)", "its name is not UTF-8"))
                }
            }
            // What could be read is still checked.
            if entries.failure != 0 { report(shown, entries.failure) }
        } catch {
            return report(shown, error.number)
        }
        for name in names.sortedExactly() { visit("\(path)/\(name)", "\(shown)/\(name)", depth: depth + 1) }
    }

    private mutating func read(_ path: String, _ shown: String) {
        do throws(SourceError) {
            let bytes = try FileContents.read(path, atMost: SourceFolder.maximumSize)
            let facts = path.hasExactSuffix(".swift") ? SourceFacts(swift: bytes) : SourceFacts(c: bytes)
            files.append(SourceTarget.File(path: shown, facts: facts))
        } catch {
            report(shown, error.code)
        }
    }

    private mutating func report(_ shown: String, _ code: Int32) {
        problems.append((shown, "it cannot be read: \(systemMessage(code))"))
    }

    private static func isSource(_ path: String) -> Bool {
        path.hasExactSuffix(".swift") || otherLanguages.contains { path.hasExactSuffix($0) }
    }
}

/// Reads a file.
enum FileContents {
    static func read(_ path: String, atMost limit: Int) throws(SourceError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SourceError(code: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SourceError(code: errno) }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else { throw SourceError(code: EFBIG) }
            bytes += piece[..<count]
        }
    }
}

/// The number of the system's error.
struct SourceError: Error {
    let code: Int32
}
