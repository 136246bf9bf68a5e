import CHSLink
import ComponentKit
import SystemSupport

/// The host's own class `hslink.Resources`, with which a component that shows what others have, such as a renderer of
/// pages, reads their files.
///
/// | class method | payload | answer |
/// |---|---|---|
/// | `read` | `{"component": "ComponentImage", "name": "pages/gallery.json"}` | `{"bytes"}`, the content of a resource |
/// | `dataFile` | `{"component": "ComponentVideo", "path": "films/clip.mp4"}` | `{"path"}`, the absolute path of a file in the data directory of a component |
///
/// `read` fails as ``ComponentKit/Resources`` does, with an error in the domain `hslink.resources`. `dataFile` does not
/// look whether there is such a file, and refuses a path with empty parts, "." and "..". Neither loads a component.
final class ResourcesLink: LinkClass {
    static let provided = ProvidedClass(ResourcesLink.self, name: "hslink.Resources")

    /// The longest path of a file, in bytes.
    private static let longestPath = 1024

    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<ResourcesLink>] = [
        .classMethod("read") { payload, call -> Payload in
            let payload = try payload.copy()
            try payload.refuseKeys(besides: ["component", "name"])
            let source = HostResources(
                component: try payload.string("component"), core: try HostCore.of(call.context))
            return ["bytes": .bytes([UInt8](try Resources(source).data(try payload.string("name"))))]
        },
        .classMethod("dataFile") { payload, call -> Payload in
            let payload = try payload.copy()
            try payload.refuseKeys(besides: ["component", "path"])
            let core = try HostCore.of(call.context)
            let (component, path) = (try payload.string("component"), try payload.string("path"))
            guard let unit = core.registry.unit(named: component), !unit.isHost else {
                throw LinkError(
                    data: HSLINK_DATA_NONE, "no component \(component.quoted()) was found, so it has no data")
            }
            let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            guard path.utf8.count <= longestPath, !path.utf8.contains(0),
                parts.allSatisfy({ !["", ".", ".."].contains(String(Substring($0))) })
            else {
                throw PayloadError(
                    path: ["path"], expected: "a path below the data directory, without \".\", \"..\" and empty parts",
                    found: String(path.prefix(100)).quoted())
            }
            return ["path": .string("\(try core.data.directory(of: component))/\(path)")]
        },
    ]
}
