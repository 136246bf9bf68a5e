public import ComponentKit
import SystemSupport

/// The service of a component that brings pages along. Any number of components may provide it; page files of operators
/// with the same names take precedence.
///
/// ```swift
/// @LinkClass("OwnerPagesLink", provides: (any PageSource).self)
/// final class OwnerPagesLink: PageSource {
///     private let resources: Resources
///     init(_ context: ComponentContext) { resources = context.resources }
///     func pages() throws -> [PageFile] { try PageFile.all(in: resources) }
/// }
/// ```
@LinkService("org.hslink.page-source/1")
public protocol PageSource: Sendable {
    /// Returns the pages, for all sessions and for all values of those that take values. They are read again when
    /// components come or go, and after ``PageModuleChanged`` with the name of the component.
    func pages() async throws -> [PageFile]
}

/// A page as it is written.
@Model public struct PageFile: Hashable, Sendable {
    /// The name of the file, as in `home.json`.
    public var name: String
    /// The content of the file: a JSON object.
    public var text: String

    /// Returns the files with the ending `.json` in a folder of a component's resources.
    ///
    /// - Parameters:
    ///   - resources: the resources of the component.
    ///   - folder: the name of the folder.
    /// - Throws: `ResourceError` if there is no such folder, or a file cannot be read or is larger than 1 MB.
    public static func all(in resources: Resources, folder: String = "pages") throws -> [PageFile] {
        try resources.names(in: folder).filter { $0.hasExactSuffix(".json") }.map { name in
            PageFile(name: name, text: try resources.string("\(folder)/\(name)", limit: 1 << 20))
        }
    }
}
