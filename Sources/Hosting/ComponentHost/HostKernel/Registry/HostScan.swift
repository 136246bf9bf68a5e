import CHSLink
import ComponentCatalog
import ComponentKit
import ManifestRules
import SystemSupport

/// The parameters of a host's scans. Finds components in directories and in the program, and makes their units.
struct HostScan {
    let directories: [String]
    let includesBuiltIn: Bool
    /// The classes that every host has.
    let ownClasses: [ProvidedClass]
    /// The component with these classes only.
    let bareHost: LinkedComponent
    let provides: [ProvidedClass]
    /// Where components of other formats than shared objects run.
    let places: [any ComponentPlace]
    /// Returns what is configured for a component: as long as the host lives, always the same.
    var settings: @Sendable (_ component: String) -> ComponentSettings = { _ in ComponentSettings() }
    let options: KernelOptions

    /// The formats of component files besides shared objects.
    var formats: [ComponentFormat] { places.map(\.format) }

    /// Reads the directories, and adds the built-in components.
    func survey() -> CatalogSurvey {
        CatalogScanner.survey(
            directories, formats: formats, policy: options.trust, builtIn: builtInManifests()
        ).disabling { settings($0).disabledBy }
    }

    /// The program's own classes, and the contract that it was compiled with.
    var host: HostDeclaration { HostDeclaration(classes: hostManifest.classes, contract: contract) }

    /// The services and models that the program was compiled with.
    var contract: Contract {
        if let contract = options.contract { return contract }
        guard case .success(let notes) = HostScan.imageNotes else { return .empty }
        return notes.contract
    }

    /// Returns the declarations of the program's own classes. Methods of the services that they provide have the
    /// parameters and results that the contract of the program says.
    static func declarations(of classes: [ProvidedClass]) -> [ClassDeclaration] {
        let contract = (try? imageNotes.get())?.contract ?? .empty
        let declared = classes.map { own in
            ClassDeclaration(
                name: own.name, selectors: own.services.flatMap { contract.service($0)?.selectors ?? [] })
        }
        return Manifest(hostClasses: classes, declared: declared, name: hostName).classes
    }

    private func builtInManifests() -> [Manifest] {
        guard includesBuiltIn, unsafe LinkedComponent.imageAddress != nil else { return [] }
        switch HostScan.imageNotes {
        case .success(let notes): return notes.manifests
        case .failure(let error):
            options.log(
                .error, "ignoring the components in the program: \(error.message)", component: HostScan.hostName)
            return []
        }
    }

    /// The program's own notes. They are read once, since they do not change.
    private static let imageNotes = Result<
        (manifests: [Manifest], contract: Contract, otherClasses: [OwnClass], problems: [String]), ComponentFileError
    > {
        () throws(ComponentFileError) in
        unsafe try Manifest.builtIn(around: LinkedComponent.imageAddress ?? #dsohandle)
    }

    /// The models of the program and of the components in it.
    static let imageModels = ModelPool((try? imageNotes.get())?.contract.models ?? [])

    /// Returns the Swift module of a class of the program; empty if no note says it.
    static func module(ofClass name: String) -> String {
        (try? imageNotes.get())?.otherClasses.first { $0.declaration.name.isExactly(name) }?.module ?? ""
    }

    /// Makes a unit for each active component.
    func units(of catalog: Catalog) -> [ComponentUnit] {
        catalog.entries.filter(\.isActive).compactMap(unit)
    }

    func unit(for entry: Catalog.Entry) -> ComponentUnit? {
        guard let source = source(of: entry) else { return nil }
        return ComponentUnit(
            entry.manifest, source, options: options, limitations: entry.limitations, refusal: refusal(of: entry),
            priority: settings(entry.manifest.name).priority)
    }

    /// Returns why a component cannot be loaded, if that is known without opening its file; nil if loading may be
    /// tried.
    func refusal(of entry: Catalog.Entry) -> LinkError? {
        if case .unmet(let unmet) = entry.state {
            return LinkError(.requirementNotMet, message: unmet.message, component: entry.manifest.name)
        }
        guard let file = entry.file else { return nil }
        do throws(LinkError) {
            try BuildCheck(manifest: entry.manifest, allowsOtherCompilers: options.allowsOtherCompilers)
                .check(sharesRuntime: file.sharesSwiftRuntime)
            return nil
        } catch {
            return error.naming(className: "", selector: "", component: entry.manifest.name)
        }
    }

    private func source(of entry: Catalog.Entry) -> ComponentUnit.Source? {
        if let file = entry.file { return .file(file) }
        let builtIn = LinkedComponent.all.first { component in
            unsafe String(component.descriptor.pointee.name).isExactly(entry.manifest.name)
        }
        return builtIn.map { unsafe .builtIn($0.descriptor) }
    }

    /// Makes the unit for the program's own classes and for those that every host has.
    func hostUnit() -> ComponentUnit {
        for problem in (try? HostScan.imageNotes.get())?.problems ?? [] {
            options.log(
                .warning, "ignoring what a class of the program declares: \(problem)", component: HostScan.hostName)
        }
        let component =
            provides.isEmpty
            ? bareHost : LinkedComponent.make(name: HostScan.hostName, version: "0.0.0", hostClasses)
        return unsafe ComponentUnit(hostManifest, .host(component.descriptor), options: options)
    }

    private var hostClasses: [ProvidedClass] { ownClasses + provides }

    private var hostManifest: Manifest {
        let declared = ((try? HostScan.imageNotes.get())?.otherClasses ?? []).map(\.declaration)
        return Manifest(hostClasses: hostClasses, declared: declared, name: HostScan.hostName)
    }

    /// The component name that errors show for the program's own classes.
    static let hostName = TextRule.hostName
}

extension Manifest {
    /// - Parameter declared: what the notes of the program say about its classes, such as their routes.
    fileprivate init(hostClasses: [ProvidedClass], declared: [ClassDeclaration], name: String) {
        self.init(
            name: name, version: Version(0, 0, 0), module: "",
            classes: hostClasses.map { provided in
                let declaration = declared.first { $0.name.isExactly(provided.name) }
                let selectors = Dictionary(firstOf: (declaration?.selectors ?? []).map { ($0.reference, $0) })
                return ClassDeclaration(
                    name: provided.name,
                    instances: ClassDeclaration.Instances(rawValue: provided.instances.rawValue) ?? .shared,
                    provides: provided.services,
                    selectors: provided.selectors.map { name, kind in
                        selectors[SelectorReference(name: name, kind: kind)]
                            ?? SelectorDeclaration(name: name, kind: kind)
                    })
            }, requires: [])
    }
}
