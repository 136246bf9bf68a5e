import Glibc

/// What lies in the directories by now in the place of a component that is in memory.
public enum OnDiskState: Hashable, Sendable {
    /// The file that is in memory, or nothing is in memory yet.
    case same
    /// Nothing: the component goes on until the host ends, and is not there after that.
    case gone
    /// The file lies there, and would not be loaded again: its permissions, or those of its directory, have changed.
    case refused(reason: String)
    /// Another file, which a restart would use. The version may be higher, lower, or that of a file written anew.
    case replaced(by: Version, path: String)

    /// - Parameters:
    ///   - unit: a component that is in memory.
    ///   - catalog: what lies in the directories.
    init(of unit: ComponentUnit, found catalog: Catalog) {
        guard let file = unit.file else {
            self = .same
            return
        }
        guard let entry = catalog.entry(named: unit.name) else {
            self = catalog.refusal(of: file).map { .refused(reason: $0) } ?? .gone
            return
        }
        guard let other = entry.file, other != file else {
            self = .same
            return
        }
        self = .replaced(by: entry.manifest.version, path: other.path)
    }

    /// As in "restart to use 2.0.0"; empty when there is nothing to say.
    ///
    /// - Parameter version: what is in memory.
    func message(besides version: Version) -> String {
        switch self {
        case .same: ""
        case .gone: "its file is gone; it goes on until the host ends"
        case .refused(let reason): "its file would not be loaded again: \(reason); it goes on until the host ends"
        case .replaced(let other, _):
            other == version ? "restart to use \(other) as it lies there now" : "restart to use \(other)"
        }
    }
}

extension Catalog {
    /// Why a file that was found before is not used any more: something is wrong with it, or with its directory.
    fileprivate func refusal(of file: ComponentFile) -> String? {
        if let rejection = rejectedFiles.first(where: { $0.path == file.path }) { return rejection.reason }
        // Directories stand there as they were given.
        return rejectedDirectories.first { resolved($0.path) == file.directory }?.reason
    }

    private func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
