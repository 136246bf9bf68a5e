package import ComponentCatalog
import ComponentKit
package import ForeignFunctions
import SystemSupport

/// A file `NAME.hslink.json`, which describes a library that has no component entry of its own.
package enum DescriptionFile {
    /// The file name extension of descriptions.
    package static let suffix = ".hslink.json"

    /// The size of the largest description that is read, far beyond any real one.
    private static let maximumSize = 16 << 20

    /// Reads a description without opening the library that it names.
    ///
    /// - Parameter file: An open file; its position does not matter.
    /// - Returns: The description, and the manifest made from it.
    /// - Throws: `invalidManifest` if the description is malformed (with the path, and what was expected and found) or
    ///   too large; `notReadable` if the file cannot be read.
    package static func read(
        _ file: borrowing OpenFile
    ) throws(ComponentFileError) -> (LibraryDescription, Manifest) {
        guard file.identity.size <= maximumSize else {
            throw ComponentFileError(
                .invalidManifest, "the description is larger than the limit of \(maximumSize >> 20) MB")
        }
        let bytes = try file.contents()
        do throws(PayloadError) {
            let json = try Payload(json: bytes)
            // Making the manifest also validates the name and the version.
            let description = try LibraryDescription(json)
            return (description, try Manifest(description.manifest))
        } catch {
            throw ComponentFileError(inDescription: error)
        }
    }
}

extension ComponentFormat {
    /// Descriptions of libraries.
    package static let description = ComponentFormat(suffix: DescriptionFile.suffix) {
        (file: borrowing OpenFile) throws(ComponentFileError) in
        let (description, manifest) = try DescriptionFile.read(file)
        return (manifest, description.libraries)
    }
}

extension CatalogScanner {
    /// Scans `directories` for shared objects and descriptions; see ``scan(_:formats:policy:builtIn:host:)``.
    package static func scan(
        _ directories: [String], policy: TrustPolicy = .strict, builtIn: [Manifest] = [],
        host: HostDeclaration = HostDeclaration()
    ) -> Catalog {
        scan(directories, formats: [.description], policy: policy, builtIn: builtIn, host: host)
    }
}

extension ComponentFile {
    /// Whether this file describes a library rather than being one.
    package var isDescription: Bool { format?.suffix.isExactly(DescriptionFile.suffix) ?? false }
}
