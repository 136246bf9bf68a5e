import CHSLink
import ComponentKit
import Logging

/// From directories, built-in components and the program's own classes to the units of a host.
struct HostScan {
    let directories: [String]
    let includesBuiltIn: Bool
    let provides: [ProvidedClass]
    let options: HostOptions

    /// Reads the directories.
    func catalog() -> Catalog {
        CatalogScanner.scan(
            directories, policy: options.trust, builtIn: builtInManifests(),
            hostClasses: Set(provides.map(\.name)))
    }

    private func builtInManifests() -> [Manifest] {
        guard includesBuiltIn, let address = unsafe ImageComponent.imageAddress else { return [] }
        do throws(ComponentFileError) {
            return try unsafe Manifest.builtIn(around: address)
        } catch {
            options.logger.error("the components of the program are left out: \(error.message)")
            return []
        }
    }

    /// A unit for each component that stands for its name.
    func units(of catalog: Catalog) -> [ComponentUnit] {
        catalog.entries.compactMap { entry in
            if case .shadowed = entry.state { return nil }
            return unit(for: entry)
        }
    }

    func unit(for entry: Catalog.Entry) -> ComponentUnit? {
        var refusal: LinkError?
        if case .unmet(let unmet) = entry.state {
            refusal = LinkError(.demandNotMet, message: unmet.message, component: entry.manifest.name)
        }
        if let file = entry.file, refusal == nil {
            do throws(LinkError) {
                try BuildCheck(manifest: entry.manifest, options: options).check(file)
            } catch {
                refusal = error.naming(className: "", selector: "", component: entry.manifest.name)
            }
        }
        guard let source = source(of: entry) else { return nil }
        return ComponentUnit(
            entry.manifest, source, options: options, limitations: entry.limitations, refusal: refusal)
    }

    private func source(of entry: Catalog.Entry) -> ComponentUnit.Source? {
        if let file = entry.file { return .file(file) }
        let builtIn = ImageComponent.all.first { component in
            unsafe String(component.descriptor.pointee.name) == entry.manifest.name
        }
        return builtIn.map { unsafe .builtIn($0.descriptor) }
    }

    /// The unit of the program's own classes; nil when it has none.
    func hostUnit() -> ComponentUnit? {
        guard !provides.isEmpty else { return nil }
        let component = ImageComponent.make(name: HostScan.hostName, version: "0.0.0", provides)
        return unsafe ComponentUnit(
            Manifest(hostClasses: provides, name: HostScan.hostName), .host(component.descriptor), options: options)
    }

    /// The name under which the program's own classes stand in errors.
    static let hostName = "host"
}

extension Manifest {
    fileprivate init(hostClasses: [ProvidedClass], name: String) {
        self.init(
            name: name, version: Version(0, 0, 0), module: "",
            classes: hostClasses.map { provided in
                ClassDeclaration(
                    name: provided.name, instances: provided.instances == .shared ? .shared : .perCall,
                    selectors: provided.selectors.map {
                        SelectorDeclaration(
                            name: $0.name, kind: $0.kind, parameters: [], isQuick: false, isAsync: false,
                            isMainActor: false)
                    })
            }, requires: [], raw: .null)
    }
}
