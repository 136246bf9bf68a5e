package import CHSLink
package import ComponentCatalog
package import ComponentKit
import ForeignFunctions

/// Makes a component of the library that a description names.
package struct DescribedPlace: ComponentPlace {
    package var format: ComponentFormat { .description }

    package init() {}

    package func load(
        _ file: borrowing OpenFile, folder: String, check: (_ path: String) throws(LinkError) -> String
    ) throws(LinkError) -> UnsafePointer<hslink_descriptor> {
        let description: LibraryDescription
        do throws(ComponentFileError) {
            (description, _) = try DescriptionFile.read(file)
        } catch {
            throw LinkError(.invalidFile, message: error.message)
        }
        guard file.isUnchanged else { throw LinkError(.fileChanged) }
        return unsafe try description.open(folder: folder, check: check)
    }
}
