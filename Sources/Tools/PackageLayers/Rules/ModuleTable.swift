/// The modules that imports can name: those of the package's targets, and those of the products that any target uses.
struct ModuleTable {
    private var modules: [String: SourceTarget.Dependency] = [:]
    private let package: SourcePackage

    init(_ package: SourcePackage) {
        self.package = package
        for target in package.targets {
            for case .product(let name, let owner, let aliases) in target.dependencies {
                let product = SourceTarget.Dependency.product(name, package: owner, aliases: aliases)
                let module = aliases[name] ?? name.moduleName
                modules[module] = modules[module] ?? product
            }
        }
        // A component's package need not state a dependency on the host's library to import it.
        if modules["ComponentHost"] == nil, case .product(_, let owner, _)? = modules["ComponentKit"] {
            modules["ComponentHost"] = .product("ComponentHost", package: owner)
        }
        for target in package.targets where target.kind != .test && target.kind != .plugin {
            modules[target.module] = .target(target.name)
        }
    }

    /// Returns what provides a module; nil for modules of the system, and for modules of products that have other
    /// names than their modules.
    func provider(of module: String, for target: SourceTarget) -> SourceTarget.Dependency? {
        guard let provider = modules[module] else { return nil }
        // The same product with the conditions and aliases of this target.
        return target.dependencies.first { $0 == provider || isSameProduct($0, provider) } ?? provider
    }

    private func isSameProduct(_ one: SourceTarget.Dependency, _ other: SourceTarget.Dependency) -> Bool {
        guard case .product(let name, _, _) = one, case .product(name, _, _) = other else { return false }
        return true
    }

    /// Returns whether a target states a dependency. One product may offer several modules, so any product of the same
    /// package is enough.
    func declares(_ target: SourceTarget, _ used: SourceTarget.Dependency) -> Bool {
        target.dependencies.contains { dependency in
            switch (dependency, used) {
            case (.target(let name), .target(let other)): name == other
            case (.product(let name, let package, _), .product(let other, let owner, _)):
                name == other || (package != nil && package == owner)
            default: false
            }
        }
    }
}
