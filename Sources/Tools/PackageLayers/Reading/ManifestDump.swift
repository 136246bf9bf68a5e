import FoundationEssentials

/// The part of the output of `swift package dump-package` that the rules need.
struct ManifestDump: Decodable {
    struct Target: Decodable {
        /// Files that are not compiled, even if their names end in ".swift".
        struct Resource: Decodable {
            let path: String
        }

        let name: String
        /// A kind that this version does not know counts as a library.
        let type: String
        let path: String?
        let sources: [String]?
        let exclude: [String]?
        let resources: [Resource]?
        let dependencies: [Dependency]

        var kind: SourceTarget.Kind { SourceTarget.Kind(rawValue: type) ?? .regular }
    }

    /// `{"target": ["A", null]}`, `{"byName": ["A", null]}` or `{"product": ["A", "package", {"A": "B"}, null]}`.
    enum Dependency: Decodable {
        case target(String)
        case product(String, package: String?, aliases: [String: String])
        case byName(String)

        private enum CodingKeys: String, CodingKey {
            case target, product, byName
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if container.contains(.target) {
                var values = try container.nestedUnkeyedContainer(forKey: .target)
                self = .target(try values.decode(String.self))
            } else if container.contains(.byName) {
                var values = try container.nestedUnkeyedContainer(forKey: .byName)
                self = .byName(try values.decode(String.self))
            } else {
                var values = try container.nestedUnkeyedContainer(forKey: .product)
                let name = try values.decode(String.self)
                let package = values.isAtEnd ? nil : try values.decodeIfPresent(String.self)
                let aliases = values.isAtEnd ? nil : try values.decodeIfPresent([String: String].self)
                self = .product(name, package: package, aliases: aliases ?? [:])
            }
        }
    }

    /// `{"fileSystem": [{"identity": "a", "path": "/a", …}]}`, `{"sourceControl": […]}` or `{"registry": […]}`.
    struct Package: Decodable {
        struct Place: Decodable {
            let identity: String
            let nameForTargetDependencyResolutionOnly: String?
            let path: String?
        }

        let fileSystem: [Place]?
        let sourceControl: [Place]?
        let registry: [Place]?
    }

    struct Product: Decodable {
        let name: String
        let targets: [String]
    }

    let name: String
    let targets: [Target]
    let dependencies: [Package]
    let products: [Product]

    init(json: [UInt8]) throws { self = try JSONDecoder().decode(ManifestDump.self, from: Data(json)) }

    /// The packages that the manifest names, with the folders of those on this machine.
    var references: [(reference: PackageReference, folder: String?)] {
        dependencies.flatMap { dependency in
            (dependency.fileSystem ?? []).map { place in (ManifestDump.reference(place, isLocal: true), place.path) }
                + ((dependency.sourceControl ?? []) + (dependency.registry ?? [])).map { place in
                    (ManifestDump.reference(place, isLocal: false), nil)
                }
        }
    }

    private static func reference(_ place: Package.Place, isLocal: Bool) -> PackageReference {
        PackageReference(
            identity: place.identity, name: place.nameForTargetDependencyResolutionOnly, isLocal: isLocal)
    }

    /// Returns the dependencies of a target. A name without more stands for a target of the package if it has one.
    func dependencies(of target: Target) -> [SourceTarget.Dependency] {
        let names = Set(targets.map(\.name))
        var found: [SourceTarget.Dependency] = []
        for dependency in target.dependencies {
            let next: SourceTarget.Dependency =
                switch dependency {
                case .target(let name): .target(name)
                case .product(let name, let package, let aliases): .product(name, package: package, aliases: aliases)
                case .byName(let name): names.contains(name) ? .target(name) : .product(name, package: nil)
                }
            if !found.contains(next) { found.append(next) }
        }
        return found
    }

    /// Returns whether a target uses products of a package beyond the two libraries of HSLink, whose layers are known.
    func usesProducts(of reference: PackageReference) -> Bool {
        targets.flatMap { dependencies(of: $0) }.contains { dependency in
            guard case .product(let name, let package, _) = dependency else { return false }
            return !["ComponentHost", "ComponentKit"].contains(name) && package.map(reference.isNamed) ?? true
        }
    }

    /// The names of the folders in which SwiftPM looks for the sources of a kind of target.
    static func usualFolders(of kind: SourceTarget.Kind) -> [String] {
        switch kind {
        case .test: ["Tests", "Sources", "Source", "src", "srcs"]
        case .plugin: ["Plugins"]
        default: ["Sources", "Source", "src", "srcs"]
        }
    }
}
