/// Something that a new look at the directories found to be different; see ``LinkHost/rescan()``.
///
/// `description` is a sentence for people, without the name of the component.
public struct CatalogChange: Hashable, Sendable {
    /// What has happened. New kinds may come; a `switch` over kinds needs a default.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// Its name, as programs are told; stable.
        public let description: String

        init(_ description: String) { self.description = description }

        /// A component is there that was not; with a reason where it cannot be loaded.
        public static let appeared = Kind("appeared")
        /// The file of a component is gone, or no component any more. One that is in memory goes on until the host
        /// ends; others cannot be called any more.
        public static let vanished = Kind("vanished")
        /// Another file stands for a component that is not in memory, and is used from now on; or the same, which was
        /// written to, or has other permissions, another owner or other links.
        public static let replaced = Kind("replaced")
        /// Another file lies there than the one that is in memory; a restart would use it.
        public static let restartNeeded = Kind("restartNeeded")
        /// The file that is in memory lies there again.
        public static let restored = Kind("restored")
        /// A component cannot be loaded, as what it requires is missing; or the reason is another one now.
        public static let refused = Kind("refused")
        /// A component can be loaded that could not: what it requires is there.
        public static let recovered = Kind("recovered")
        /// What a component could use and does without has changed; without a reason when it has all.
        public static let degraded = Kind("degraded")
        /// A file provides a component that another one stands for.
        public static let shadowed = Kind("shadowed")
        /// A file is no component, or a broken one, or not trusted; or the reason is another one now.
        public static let fileRefused = Kind("fileRefused")
        /// A directory is not searched any more, or for another reason now.
        public static let directoryRefused = Kind("directoryRefused")
        /// A directory is searched that was not.
        public static let directoryFound = Kind("directoryFound")
    }

    /// What has happened.
    public let kind: Kind
    /// The component; nil where it is about a file that is none, or a directory.
    public let component: String?
    /// The version that is used or would be, of ``Kind/restartNeeded`` the one that a restart would use.
    public let version: Version?
    /// The version before; of ``Kind/restartNeeded`` the one that is in memory.
    public let previousVersion: Version?
    /// The file or directory that it is about.
    public let path: String?
    /// Whether the component is in memory.
    public let isInMemory: Bool
    /// Why, as a sentence; empty when there is nothing to say.
    public let reason: String

    init(
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

    /// Whether somebody should look at it: something cannot be had, or not any more.
    public var isProblem: Bool {
        switch kind {
        case .refused, .fileRefused, .directoryRefused, .vanished: true
        case .degraded, .appeared, .replaced: !reason.isEmpty
        default: false
        }
    }
}

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
