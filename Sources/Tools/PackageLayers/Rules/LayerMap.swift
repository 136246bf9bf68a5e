/// Where a target or a product of another package belongs, and why.
package struct Placement: Hashable, Sendable {
    package let layer: Layer
    /// The reason as the end of a sentence, such as "it declares a component".
    package let reason: String
    /// The place of the reason; nil for a reason without one.
    package let place: SourcePlace?

    init(_ layer: Layer, _ reason: String, at place: SourcePlace? = nil) {
        self.layer = layer
        self.reason = reason
        self.place = place
    }
}

/// A place in a file.
package struct SourcePlace: Hashable, Sendable {
    package let path: String
    package let position: SourcePosition
}

/// The layers of a package's targets, and of the products that they use.
package struct LayerMap: Sendable {
    private let package: SourcePackage
    private var placements: [String: Placement] = [:]
    /// What .layers.json states, by the names of targets, products and packages.
    private let stated: [String: Placement]
    /// The library that host programs import.
    private static let hostLibrary = "ComponentHost"
    /// The library that component authors import.
    private static let authorLibrary = "ComponentKit"
    /// Those that they may import in addition to it.
    private static let authorLibraries: Set = [authorLibrary, "PageKit"]

    package init(_ package: SourcePackage) {
        self.package = package
        let statement = package.statement
        let places = statement.layerPlaces
        stated = Dictionary(
            uniqueKeysWithValues: statement.layers.map { name, layer in
                (name, Placement(layer, "\(statement.path) says so", at: places[name]))
            })
        for target in package.targets { placements[target.name] = definite(target) }
        placeHostLibraries()
        for target in package.targets where placements[target.name] == nil && hasLayer(target) {
            placements[target.name] = Placement(.common, "it is a library that declares no component and no service")
        }
    }

    /// Returns the placement of a target; nil for tests and build plugins, which belong to no layer.
    package func placement(ofTarget name: String) -> Placement? { placements[name] }

    /// Returns the placement of a target or product.
    package func placement(of dependency: SourceTarget.Dependency) -> Placement? {
        switch dependency {
        case .target(let name): placements[name]
        case .product(let name, let package, _): placement(ofProduct: name, package: package)
        }
    }

    /// Returns the package of a product, if the manifest names it.
    func reference(ofProduct name: String, package packageName: String?) -> PackageReference? {
        if let packageName { return package.dependencies.first { $0.isNamed(packageName) } }
        // Without a package, SwiftPM looks for the product in all packages.
        let providers = package.dependencies.filter { $0.products[name] != nil }
        if providers.count == 1 { return providers[0] }
        return package.dependencies.first { $0.isNamed(name) }
            ?? (package.dependencies.count == 1 ? package.dependencies[0] : nil)
    }

    private func placement(ofProduct name: String, package packageName: String?) -> Placement {
        let reference = reference(ofProduct: name, package: packageName)
        let names = [name, packageName, reference?.identity, reference?.name].compactMap(\.self)
        for name in names {
            if let stated = stated[name] { return stated }
        }
        if name == LayerMap.hostLibrary { return Placement(.host, "it hosts components") }
        if LayerMap.authorLibraries.contains(name) { return Placement(.base, "it is a library for components") }
        guard let reference else { return Placement(.thirdParty, "it comes from another package") }
        if let layer = reference.products[name] {
            return Placement(layer, "the package \(reference.identity) offers it as \(layer.title)")
        }
        return reference.isLocal
            ? Placement(.common, "it comes from the local package \(reference.identity)")
            : Placement(.thirdParty, "it comes from the package \(reference.name ?? reference.identity)")
    }

    private func hasLayer(_ target: SourceTarget) -> Bool { target.kind != .test && target.kind != .plugin }

    /// Returns the placement that follows from the target alone.
    private func definite(_ target: SourceTarget) -> Placement? {
        guard hasLayer(target) else { return nil }
        if let stated = stated[target.name] { return stated }
        switch target.kind {
        case .executable: return Placement(.host, "it is a program")
        case .system: return Placement(.thirdParty, "it is a system library")
        case .binary: return Placement(.thirdParty, "it is a binary")
        case .macro: return Placement(.common, "it implements macros")
        case .regular, .test, .plugin: break
        }
        if target.name == LayerMap.hostLibrary { return Placement(.host, "it hosts components") }
        // Other libraries have attributes with these names, too.
        let isAuthors = target.files.contains { $0.facts.imports.contains { $0.module == LayerMap.authorLibrary } }
        for file in target.files {
            guard let position = file.facts.component, isAuthors || !file.path.hasSuffix(".swift") else { continue }
            return Placement(.component, "it declares a component", at: .init(path: file.path, position: position))
        }
        for file in target.files {
            guard let position = file.facts.service, isAuthors else { continue }
            return Placement(.contract, "it declares a service", at: .init(path: file.path, position: position))
        }
        return nil
    }

    /// Finds the libraries that belong to the host: those that depend on a part of the host, unless more components
    /// than parts of the host use them. So a library for components that begins to use the host is wrong itself, and
    /// not its users. The manifest counts as the intention; an import that it does not state changes no layer.
    private mutating func placeHostLibraries() {
        var isChanged = true
        while isChanged {
            isChanged = false
            for target in package.targets where placements[target.name] == nil && hasLayer(target) {
                guard let part = target.dependencies.first(where: { placement(of: $0)?.layer == .host }) else {
                    continue
                }
                let users = package.targets.filter { $0.dependencies.contains(.target(target.name)) }
                    .compactMap { placements[$0.name]?.layer }
                guard users.count(where: { $0 == .host }) >= users.count(where: { $0 == .component || $0 == .contract })
                else { continue }
                placements[target.name] = Placement(.host, "it depends on \(part.name), a part of the host")
                isChanged = true
            }
        }
    }
}
