import CHSLink
import ComponentKit
import HostContract
import SystemSupport

/// The host's own class `hslink.Resources`, with which a component that shows what others have, such as a renderer of
/// pages, reads their files. Swift code uses `HostResourcesServiceClient` of `HostContract`.
///
/// | class method | payload | answer |
/// |---|---|---|
/// | `read` | `{"component": "ComponentImage", "name": "pages/gallery.json"}` | `{"bytes"}`, the content of a resource |
/// | `dataFile` | `{"component": "ComponentVideo", "path": "films/clip.mp4"}` | `{"path"}`, the absolute path of a file in the data directory of a component |
///
/// `read` fails as ``ComponentKit/Resources`` does, with an error in the domain `hslink.resources`. `dataFile` does not
/// look whether there is such a file, and refuses a path with empty parts, "." and "..". Neither loads a component.
final class ResourcesLink: LinkClass, HostResourcesService {
    static let provided = ProvidedClass(ResourcesLink.self, name: "hslink.Resources")
    static let services = [HostResourcesServiceClient.__service.name]
    static let methods = HostResourcesServiceTable<ResourcesLink>.methods

    /// The longest path of a file, in bytes.
    private static let longestPath = 1024

    private let core: HostCore
    private let files: FileFeature

    init(_ context: ComponentContext) throws {
        core = try HostCore.of(context)
        files = core.feature(FileFeature.self)
    }

    func read(component: String, name: String) throws -> ResourceContent {
        let source = HostResources(component: component, core: core, search: files.search)
        return ResourceContent(bytes: [UInt8](try Resources(source).data(name)))
    }

    func dataFile(component: String, path: String) throws -> DataFilePlace {
        guard let unit = core.registry.unit(named: component), !unit.isHost else {
            throw LinkError(
                data: HSLINK_DATA_NONE, "no component \(component.quoted()) was found, so it has no data")
        }
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard path.utf8.count <= ResourcesLink.longestPath, !path.utf8.contains(0),
            parts.allSatisfy({ !["", ".", ".."].contains(String(Substring($0))) })
        else {
            throw PayloadError(
                path: ["path"], expected: "a path below the data directory, without \".\", \"..\" and empty parts",
                found: String(path.prefix(100)).quoted())
        }
        return DataFilePlace(path: "\(try files.data.directory(of: component))/\(path)")
    }
}
