/// A change that a rescan of the directories found; see ``LinkHost/rescan()``.
///
/// `description` is a human-readable sentence without the name of the component.
public struct CatalogChange: Hashable, Sendable {
    /// The kind of a change. Later versions may add kinds, so a `switch` over kinds needs a default.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The machine-readable name of the kind; stable.
        public let description: String

        init(_ description: String) { self.description = description }

        /// A new component was found. The change has a reason if the component cannot be loaded.
        public static let appeared = Kind("appeared")
        /// The file of a component is gone, or is no longer a component. A component that is in memory keeps running
        /// until the host ends; any other can no longer be called.
        public static let vanished = Kind("vanished")
        /// A component that is not in memory has a different file, which is used from now on; or its file was written
        /// to, or has different permissions, owner or links.
        public static let replaced = Kind("replaced")
        /// The file on disk is not the one that is in memory. A restart would use it.
        public static let restartNeeded = Kind("restartNeeded")
        /// The file that is in memory is back on disk.
        public static let restored = Kind("restored")
        /// A component can no longer be loaded because a requirement is not met, or the reason has changed.
        public static let refused = Kind("refused")
        /// A component that could not be loaded now can be, because its requirements are met.
        public static let recovered = Kind("recovered")
        /// The unmet optional requirements of a component have changed. The reason is empty when all are met.
        public static let degraded = Kind("degraded")
        /// A new file is not used because another file provides the active version of its component.
        public static let shadowed = Kind("shadowed")
        /// A new file is not used because its component is disabled.
        public static let disabled = Kind("disabled")
        /// A file is not a component, is broken or is not trusted, or the reason has changed.
        public static let fileRefused = Kind("fileRefused")
        /// A directory is no longer searched, or the reason has changed.
        public static let directoryRefused = Kind("directoryRefused")
        /// A directory that was not searched is now searched.
        public static let directoryFound = Kind("directoryFound")
    }

    /// The kind of the change.
    public let kind: Kind
    /// The name of the component; nil when the change is about a directory, or about a file that is not a component.
    public let component: String?
    /// The version that is or would be used; for ``Kind/restartNeeded``, the one that a restart would use.
    public let version: Version?
    /// The previous version; for ``Kind/restartNeeded``, the one that is in memory.
    public let previousVersion: Version?
    /// The path of the file or directory that changed.
    public let path: String?
    /// Whether the component is in memory.
    public let isInMemory: Bool
    /// The reason as a sentence; empty when there is none.
    public let reason: String

    package init(
        _ kind: Kind, component: String? = nil, version: Version? = nil, previousVersion: Version? = nil,
        path: String? = nil, isInMemory: Bool = false, reason: String = ""
    ) {
        self.kind = kind
        self.component = component
        self.version = version
        self.previousVersion = previousVersion
        self.path = path
        self.isInMemory = isInMemory
        self.reason = reason
    }

    /// Whether the change needs attention because something cannot be used, or can no longer be used.
    public var isProblem: Bool {
        switch kind {
        case .refused, .fileRefused, .directoryRefused, .vanished: true
        case .degraded, .appeared, .replaced: !reason.isEmpty
        default: false
        }
    }
}

extension CatalogChange: CustomStringConvertible {
    /// The change in words, such as "version 2.0.0 is on disk, 1.0.0 is in memory: restart to use it".
    public var description: String {
        let because = reason.isEmpty ? "" : ": \(reason)"
        return switch kind {
        case .appeared:
            "appeared, version \(new)\(location)" + (reason.isEmpty ? "" : ", cannot be used\(because)")
        case .vanished:
            (reason.isEmpty ? "vanished\(location)" : "its file can no longer be used\(location)\(because)")
                + (isInMemory
                    ? "; version \(new) is in memory and keeps running until the host ends"
                    : "; version \(new) can no longer be called")
        case .replaced:
            new == old
                ? "its file was replaced or changed, still version \(new)\(location)\(because)"
                : "version \(new) replaces \(old)\(location)\(because)"
        case .restartNeeded:
            new == old
                ? "the file on disk is not the one in memory, still version \(new)\(location): restart to use it"
                : "version \(new) is on disk, \(old) is in memory\(location): restart to use it"
        case .restored: "the file that is in memory is back on disk, version \(new)\(location)"
        case .refused: "cannot be used\(because)"
        case .recovered: "can be used now, version \(new)"
        case .degraded: reason.isEmpty ? "all optional requirements are met" : reason
        case .shadowed, .disabled: "version \(new) is not used\(location)\(because)"
        case .fileRefused: "not used: \(reason)"
        case .directoryRefused: "not searched: \(reason)"
        case .directoryFound: "is now searched"
        default: "\(kind)\(because)"
        }
    }

    private var new: String { version?.description ?? "unknown" }
    private var old: String { previousVersion?.description ?? "unknown" }
    private var location: String { path.map { " (\($0))" } ?? "" }
}
