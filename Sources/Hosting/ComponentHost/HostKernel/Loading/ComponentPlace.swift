package import CHSLink
package import ComponentCatalog
package import ComponentKit

/// Where the components of one format of files run. Shared objects run in the host's process without one, and components
/// that are linked into the program have no file.
package protocol ComponentPlace: Sendable {
    var format: ComponentFormat { get }

    /// Makes the code of a component reachable.
    ///
    /// - Parameters:
    ///   - file: the component's file, which has been checked.
    ///   - folder: the directory of the file.
    ///   - check: returns the path without links of a library; throws the reason if it is not trusted.
    /// - Returns: the component's descriptor, which is valid for the life of the process.
    /// - Throws: `LinkError` that says why the component cannot be loaded.
    func load(
        _ file: borrowing OpenFile, folder: String, check: (_ path: String) throws(LinkError) -> String
    ) throws(LinkError) -> UnsafePointer<hslink_descriptor>
}
