/// What lies in the directories by now in the place of a component that is in memory.
public enum OnDiskState: Hashable, Sendable {
    /// The file that is in memory, or nothing is in memory yet.
    case same
    /// Nothing: the component goes on until the host ends, and is not there after that.
    case gone
    /// Another file, which a restart would use. The version may be higher, lower, or that of a file written anew.
    case replaced(by: Version, path: String)

    init(of unit: ComponentUnit, found entry: Catalog.Entry?) {
        guard let file = unit.file else {
            self = .same
            return
        }
        guard let entry else {
            self = .gone
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
        case .replaced(let other, _):
            other == version ? "restart to use \(other) as it lies there now" : "restart to use \(other)"
        }
    }
}
