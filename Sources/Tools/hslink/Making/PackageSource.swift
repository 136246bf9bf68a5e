import SystemSupport

/// The source from which a Swift package takes HSLink.
enum PackageSource: Hashable {
    /// An absolute directory, and how the package names it.
    case path(String, as: String)
    case url(String, from: String)

    /// Returns the source for a package that takes HSLink from a directory.
    ///
    /// - Parameters:
    ///   - path: the absolute path of the directory.
    ///   - package: that of the package, which need not exist.
    static func directory(_ path: String, for package: String) -> PackageSource {
        .path(path, as: nearPath(of: path, from: package))
    }

    /// Returns how a package names a directory: by a relative path if it lies beside the package or one folder further
    /// up, so that both can be checked out together elsewhere, else by its absolute path.
    static func nearPath(of path: String, from package: String) -> String {
        var (folder, steps) = (package.splitPath.directory, "..")
        for _ in 0..<2 where folder != "/" {
            if path.isExactly(folder) { return steps }
            if path.hasExactPrefix("\(folder)/") { return "\(steps)/\(path.without(exactPrefix: "\(folder)/"))" }
            (folder, steps) = (folder.splitPath.directory, "\(steps)/..")
        }
        return path
    }

    /// The dependency for Package.swift, without the traits that only hslink itself and the sample components need.
    var declaration: String {
        switch self {
        case .path(_, let path): ".package(name: \"HSLink\", path: \(path.swiftLiteral), traits: [])"
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
    var swiftLiteral: String { quoted(limit: .max) }
}
