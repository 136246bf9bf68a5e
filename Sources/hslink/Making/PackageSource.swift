import SystemSupport

/// Where a package in Swift takes HSLink from.
enum PackageSource: Hashable {
    /// A directory, absolute.
    case path(String)
    case url(String, from: String)

    /// The dependency as it is written in Package.swift; without the traits that only hslink itself and the samples
    /// need.
    var declaration: String {
        switch self {
        case .path(let path): ".package(name: \"HSLink\", path: \(path.swiftLiteral), traits: [])"
        case .url(let url, let version): ".package(url: \(url.swiftLiteral), from: \(version.swiftLiteral), traits: [])"
        }
    }

    /// A product of it as it is written in Package.swift.
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
    /// The text as a literal of Swift.
    fileprivate var swiftLiteral: String { quoted(limit: .max) }
}
