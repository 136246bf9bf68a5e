import SystemSupport

/// The source from which a Swift package takes HSLink.
enum PackageSource: Hashable {
    /// An absolute directory.
    case path(String)
    case url(String, from: String)

    /// The dependency for Package.swift, without the traits that only hslink itself and the sample components need.
    var declaration: String {
        switch self {
        case .path(let path): ".package(name: \"HSLink\", path: \(path.swiftLiteral), traits: [])"
        case .url(let url, let version): ".package(url: \(url.swiftLiteral), from: \(version.swiftLiteral), traits: [])"
        }
    }

    /// Returns a dependency on one of its products, for Package.swift.
    func product(_ name: String) -> String { ".product(name: \"\(name)\", package: \(identity.swiftLiteral))" }

    /// The name by which SwiftPM knows the package.
    private var identity: String {
        switch self {
        case .path: return "HSLink"
        case .url(let url, _):
            let name = url.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? url
            return name.hasSuffix(".git") ? String(name.dropLast(4)) : name
        }
    }
}

extension String {
    /// The text as a Swift string literal.
    fileprivate var swiftLiteral: String { quoted(limit: .max) }
}
