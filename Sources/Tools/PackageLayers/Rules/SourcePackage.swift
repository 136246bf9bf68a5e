/// A package as far as the rules need it: its targets, their dependencies and their sources.
package struct SourcePackage: Sendable {
    package var name: String
    package var targets: [SourceTarget]
    /// The packages that it depends on.
    package var dependencies: [PackageReference] = []
    /// The text of Package.swift, to find the places of dependencies.
    package var manifest: [UInt8] = []
    /// The path of Package.swift, as it is printed.
    package var manifestPath = "Package.swift"
    /// What could not be read, apart from sources, with the reason.
    package var problems: [(path: String, reason: String)] = []
    /// What the package states about its layers.
    package var statement = LayersStatement()
}

/// Another package, as the manifest names it.
package struct PackageReference: Hashable, Sendable {
    /// SwiftPM's identity, such as "grdb.swift".
    package var identity: String
    /// The name in the manifest, if it gives one.
    package var name: String?
    /// Whether it is a folder on this machine. Otherwise it comes from elsewhere, by its URL or from a registry.
    package var isLocal = false
    /// The layers of its products, as far as they are known.
    package var products: [String: Layer] = [:]

    func isNamed(_ text: String) -> Bool { text == name || text.lowercased() == identity.lowercased() }
}

/// A target of the package.
package struct SourceTarget: Sendable {
    package enum Kind: String, Sendable, Decodable {
        case regular, executable, test, macro, plugin, binary, system
    }

    package enum Dependency: Hashable, Sendable {
        case target(String)
        /// A product of another package, with the names under which its modules are imported instead of their own.
        case product(String, package: String?, aliases: [String: String] = [:])

        /// The name of the target or product.
        package var name: String {
            switch self {
            case .target(let name), .product(let name, _, _): name
            }
        }
    }

    /// A source file that could be read.
    package struct File: Sendable {
        /// The path, as it is printed.
        package var path: String
        package var facts: SourceFacts
    }

    package var name: String
    package var kind: Kind
    package var dependencies: [Dependency]
    package var files: [File]
    /// Files and folders that could not be read, with the reason.
    package var problems: [(path: String, reason: String)] = []

    package init(_ name: String, _ kind: Kind = .regular, dependencies: [Dependency] = [], files: [File] = []) {
        self.name = name
        self.kind = kind
        self.dependencies = dependencies
        self.files = files
    }

    /// The name of its module: characters that an identifier cannot have become underscores.
    var module: String { name.moduleName }
}

extension String {
    /// The module name that SwiftPM derives from the name of a target.
    var moduleName: String {
        var text = String(map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
        if let first = text.first, first.isNumber { text = "_" + text.dropFirst() }
        return text
    }
}

/// What a package states about its layers in `.layers.json`.
package struct LayersStatement: Sendable {
    /// A dependency that is accepted although it breaks a rule.
    package struct Exception: Sendable, Hashable {
        package let target: String
        /// The target, product or package that it uses.
        package let uses: String
        package let reason: String
    }

    /// The layers of targets, products and packages by name.
    package var layers: [String: Layer] = [:]
    package var exceptions: [Exception] = []
    /// The path of the file, as it is printed.
    package var path = ".layers.json"
    /// Its text, to find the places of entries.
    package var bytes: [UInt8] = []
}
