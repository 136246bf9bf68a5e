public import ComponentHost
public import ComponentKit

/// What a host has, as `hslink list` shows it: the same of a host in this process and of one elsewhere.
@Model public struct HostListing: Sendable {
    /// The process of a host that stays up; nil for one that was made to be listed.
    public var process: Int?
    /// In the order in which they can be loaded, then those that others have displaced.
    public var components: [ComponentRow]
    /// By their names, each with all that provide it in the order of choice.
    public var services: [ServiceRow]
    /// Files that are no components.
    public var rejectedFiles: [RejectionRow]
    /// Directories that are not searched.
    public var rejectedDirectories: [RejectionRow]
    /// Classes that are declared more than once.
    public var conflicts: [ConflictRow]

    /// What a host in this process has.
    ///
    /// - Parameters:
    ///   - host: is asked; nothing is loaded.
    ///   - process: of a host that stays up.
    public init(_ host: LinkHost, process: Int? = nil) {
        let catalog = host.catalog
        self.process = process
        components = host.components.map { ComponentRow($0) }
        services = host.services.map { ServiceRow($0) }
        rejectedFiles = catalog.rejectedFiles.map { RejectionRow($0) }
        rejectedDirectories = catalog.rejectedDirectories.map { RejectionRow($0) }
        conflicts = catalog.conflicts.map { ConflictRow($0) }
    }
}
