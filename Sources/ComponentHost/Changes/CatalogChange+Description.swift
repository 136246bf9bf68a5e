extension CatalogChange: CustomStringConvertible {
    /// As in "version 2.0.0 lies there, 1.0.0 is in memory: restart to use it".
    public var description: String {
        let because = reason.isEmpty ? "" : ": \(reason)"
        return switch kind {
        case .appeared:
            "appeared, version \(new)\(location)" + (reason.isEmpty ? "" : ", cannot be used\(because)")
        case .vanished:
            (reason.isEmpty ? "vanished\(location)" : "its file cannot be used any more\(location)\(because)")
                + (isInMemory
                    ? "; version \(new) is in memory and goes on until the host ends"
                    : "; version \(new) cannot be called any more")
        case .replaced:
            new == old
                ? "its file was replaced or changed, version \(new) as before\(location)\(because)"
                : "version \(new) takes the place of \(old)\(location)\(because)"
        case .restartNeeded:
            new == old
                ? "another file of version \(new) lies there than the one in memory\(location): restart to use it"
                : "version \(new) lies there, \(old) is in memory\(location): restart to use it"
        case .restored: "the file that is in memory lies there again, version \(new)\(location)"
        case .refused: "cannot be used\(because)"
        case .recovered: "can be used now, version \(new)"
        case .degraded: reason.isEmpty ? "optional requirements are met" : reason
        case .shadowed: "version \(new) is not used\(location)\(because)"
        case .fileRefused: "not used: \(reason)"
        case .directoryRefused: "not searched: \(reason)"
        case .directoryFound: "is searched now"
        default: "\(kind)\(because)"
        }
    }

    private var new: String { version?.description ?? "unknown" }
    private var old: String { previousVersion?.description ?? "unknown" }
    private var location: String { path.map { " (\($0))" } ?? "" }
}
