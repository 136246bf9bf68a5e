public import ComponentKit

/// The files of components, for a component that shows what others have, such as a renderer of pages: the host's class
/// `hslink.Resources`.
///
/// All functions may be called from any thread, and load no component.
@LinkService("org.hslink.host.resources/1", kind: .class)
public protocol HostResourcesService: Sendable {
    /// Returns the content of a resource.
    ///
    /// - Parameters:
    ///   - component: the component that has it.
    ///   - name: its path in the directory of resources, as in "pages/gallery.json".
    /// - Throws: `LinkError` in the domain `hslink.resources`, as `Resources` does.
    @Selector(.strict) func read(component: String, name: String) throws -> ResourceContent

    /// Returns the path of a file in the data directory of a component, whether or not there is such a file.
    ///
    /// - Parameters:
    ///   - component: the component.
    ///   - path: the path below the data directory, without empty parts, "." and "..".
    /// - Throws: `LinkError` if there is no such component, or if it is no such path.
    @Selector(.strict) func dataFile(component: String, path: String) throws -> DataFilePlace
}

/// What stands in a resource.
@Model public struct ResourceContent: Hashable, Sendable {
    /// All bytes of the file.
    public var bytes: [UInt8]
}

/// Where a file of a component is.
@Model public struct DataFilePlace: Hashable, Sendable {
    /// The absolute path.
    public var path: String
}
