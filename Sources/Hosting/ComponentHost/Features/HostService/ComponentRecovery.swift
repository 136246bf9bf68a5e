import ComponentCatalog
import ComponentKit
import SystemSupport

/// Describes how to recover a component that has failed, lacks an optional requirement, or has another file on disk.
struct ComponentRecovery {
    private let catalog: Catalog

    /// - Parameter catalog: the catalog that lists the components, with those in memory.
    init(_ catalog: Catalog) { self.catalog = catalog }

    /// Returns one sentence without a full stop; nil if nothing is wrong with the component.
    func sentence(for component: ComponentInfo) -> String? {
        switch component.state {
        case .failed(let error): sentence(for: error, of: component.name)
        case .shadowed, .stopping, .stopped: nil
        case .disabled(let setting): ComponentRecovery.enabling(component.name, setting)
        case .stuck: "find out what its methods wait for; restart the host if they do not return"
        case .available, .starting, .running:
            sentence(for: component.onDisk, besides: component.manifest.version)
                ?? component.limitations.lazy.compactMap { sentence(for: $0, of: component.name) }.first
                ?? component.resourceProblem.map { _ in "fix its resources as the reason says" }
        }
    }

    /// Returns how to recover a component that failed to load with this error.
    func sentence(for error: LinkError, of component: String) -> String {
        if error.concernsConfiguration {
            return "correct the configuration; the host then reads it and tries again"
        }
        switch error.code {
        case .requirementNotMet:
            if case .unmet(let unmet) = catalog.entry(named: component)?.state { return sentence(for: unmet) }
            guard let required = error.cause?.component, !required.isEmpty, required != component else {
                return "fix the reported problem, then retry"
            }
            return "recover \(required), then retry"
        case .fileChanged: return "rescan the directories"
        case .untrustedFile: return "follow the advice in the reason, then rescan"
        case .wrongABI, .otherCompiler: return "replace its file with one that was built for this host, then rescan"
        case .invalidFile, .missingEntry, .invalidDescriptor: return "replace its file with a correct one, then rescan"
        case .cannotLink: return "install the missing library, or rebuild the component, then retry"
        default: return "fix the reported problem, then retry"
        }
    }

    /// Returns how to make a restart load the same component again, or which version it would load instead.
    ///
    /// - Parameter version: the version in memory.
    func sentence(for onDisk: OnDiskState, besides version: Version) -> String? {
        switch onDisk {
        case .same: nil
        case .gone: "put its file back before restarting the host"
        case .refused: "follow the advice in the reason before restarting the host"
        case .replaced(let other, _):
            other == version ? "restart the host to use the new file" : "restart the host to use \(other)"
        }
    }

    /// Returns what would meet an optional requirement; nil if only the order of loading is wrong.
    func sentence(for limitation: Catalog.Entry.Limitation, of component: String) -> String? {
        switch limitation.obstacle {
        case .order: return nil
        case .unmet(let required):
            // A component in memory may have its limitation from a former catalog.
            guard case .unmet(let unmet) = catalog.entry(named: required)?.state else { break }
            return sentence(for: unmet)
        case .missing: break
        }
        return addition(limitation.requirement, for: component)
    }

    private func sentence(for unmet: Catalog.Entry.Unmet) -> String {
        if unmet.isOnCycle { return "make one of the requirements in the cycle optional" }
        // The last but one requires the last, which is missing.
        guard let consumer = unmet.path.dropLast().last, let missing = unmet.path.last,
            let requirement = catalog.entry(named: consumer)?.manifest.requires.first(where: {
                $0.name.isExactly(missing) && !$0.isOptional
            })
        else { return "fix the reported problem, then rescan" }
        return addition(requirement, for: consumer)
    }

    private static func enabling(_ component: String, _ setting: String) -> String {
        "to enable \(component), remove \(setting), then restart the host"
    }

    private func addition(_ requirement: Requirement, for component: String) -> String {
        if let disabled = disabledEntry(for: requirement), let setting = disabled.disabledBy {
            return ComponentRecovery.enabling(disabled.manifest.name, setting)
        }
        return switch requirement.subject {
        case .component(let name, .any): "add the component \(name), then rescan"
        case .component(let name, let range): "add the component \(name) in a version \(range), then rescan"
        case .linkClass: "add a component that has the \(requirement), then rescan"
        case .service(let name):
            "add a component that provides the service \(name) as \(component) requires it, then rescan"
        }
    }

    /// Returns the disabled component that would meet a requirement, as far as names tell; nil if there is none.
    private func disabledEntry(for requirement: Requirement) -> Catalog.Entry? {
        catalog.disabledEntries.first { entry in
            switch requirement.subject {
            case .component(let name, _): entry.manifest.name.isExactly(name)
            case .linkClass(let name, _): entry.manifest.classDeclaration(name) != nil
            case .service(let name): entry.manifest.classes.contains { $0.provides.containsExactly(name) }
            }
        }
    }
}
