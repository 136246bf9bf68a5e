import Glibc
import SystemSupport

/// Finds the Swift files and the headers below some paths, each once.
///
/// Hidden directories are skipped: `.build`, `.git` and the like have no sources of their own. A pattern without a slash
/// excludes the files and directories with a matching name, and one with a slash those whose path below the given
/// directory matches. In a pattern, `*` matches any characters but slashes, and `?` any one of them.
package struct SourceFinder {
    /// The paths of the files.
    private(set) var files: [String] = []
    private(set) var findings: [DriftFinding] = []
    private let excluded: [String]
    /// The files and directories already found, so that links cannot lead in a circle.
    private var seen: Set<Identity> = []

    private struct Identity: Hashable {
        let device: UInt
        let inode: UInt
    }

    init(excluded: [String]) {
        self.excluded = excluded.map(Self.plain)
    }

    /// Returns a path as compilers write it: `A/B` for `.//A/./B/`.
    package static func plain(_ path: String) -> String {
        let names = path.exactParts(between: "/").filter { $0 != "." }.joined(separator: "/")
        if path.hasExactPrefix("/") { return "/" + names }
        return names.isEmpty ? "." : names
    }

    /// Searches a directory with those in it, or takes a file that is given itself.
    mutating func search(_ path: String) {
        guard let kind = enter(path) else { return }
        guard kind == S_IFDIR else { return files.append(path) }
        pending = [Directory(path: path, below: "")]
        // A file has the path without links, if there is one.
        var links: [(name: String, directory: Directory)] = []
        while true {
            if let directory = pending.popLast() {
                for name in names(in: directory.path).sorted(by: >) where !isExcluded(name, directory.below + name) {
                    var status = stat()
                    let isLink =
                        unsafe lstat(directory.path(of: name), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
                    if isLink { links.append((name, directory)) } else { take(name, in: directory) }
                }
            } else if let link = links.popLast() {
                take(link.name, in: link.directory)
            } else {
                return
            }
        }
    }

    private struct Directory {
        let path: String
        /// The path of its contents below the given directory.
        let below: String

        func path(of name: String) -> String {
            path == "." ? name : path.hasExactSuffix("/") ? path + name : "\(path)/\(name)"
        }
    }

    /// The directories that are still to be searched.
    private var pending: [Directory] = []

    private mutating func take(_ name: String, in directory: Directory) {
        let path = directory.path(of: name)
        let isSource = name.hasExactSuffix(".swift") || name.hasExactSuffix(".h")
        guard isSource || isDirectory(path), let kind = enter(path) else { return }
        if kind == S_IFDIR {
            pending.append(Directory(path: path, below: "\(directory.below)\(name)/"))
        } else if isSource {
            files.append(path)
        }
    }

    private func isExcluded(_ name: String, _ path: String) -> Bool {
        name.hasExactPrefix(".")
            || excluded.contains { pattern in
                unsafe fnmatch(pattern, pattern.hasASCII("/") ? path : name, FNM_PATHNAME) == 0
            }
    }

    private func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the type of a file that was not found before; nil if it was, or cannot be read.
    private mutating func enter(_ path: String) -> mode_t? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            findings.append(DriftFinding(.unread, file: path, "not read: \(systemMessage(errno))"))
            return nil
        }
        let identity = Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
        return seen.insert(identity).inserted ? status.st_mode & S_IFMT : nil
    }

    private mutating func names(in directory: String) -> [String] {
        var names: [String] = []
        do throws(DirectoryEntries.Failure) {
            let entries = try DirectoryEntries(directory)
            for entry in entries {
                if entry.isText {
                    names.append(entry.name)
                } else {
                    let message = "not read: the name is not UTF-8; rename it"
                    findings.append(DriftFinding(.unread, file: "\(directory)/\(entry.name)", message))
                }
            }
            if entries.failure != 0 {
                let message = "read only in part: \(systemMessage(entries.failure))"
                findings.append(DriftFinding(.unread, file: directory, message))
            }
        } catch {
            findings.append(DriftFinding(.unread, file: directory, "not read: \(systemMessage(error.number))"))
        }
        return names
    }
}
