import CHSLink
import ComponentCatalog
import ComponentKit
import ManifestRules
import SystemSupport

/// The configuration of a host's components, and where the host runs.
final class ConfigurationFeature: HostFeature {
    static var place: Int { 2 }
    static let classes = [ConfigurationLink.provided]

    /// What operators have configured for components.
    let store: ConfigurationStore
    let environment: DeploymentEnvironment

    /// - Parameter loader: reads the configuration; nil if there is none.
    init(_ loader: (any ConfigurationLoader)?, _ environment: DeploymentEnvironment, policy: TrustPolicy) {
        store = ConfigurationStore(loader, policy: policy)
        self.environment = environment
    }

    func scanned(_ units: [ComponentUnit]) { store.forgetSections(units) }

    var watchedFiles: [String] { store.loader?.paths ?? [] }

    func settled(in core: HostCore) { reloadChanged(in: core) }

    func check(_ unit: ComponentUnit) throws(LinkError) {
        // The program's own classes have no settings.
        if !unit.isHost, let error = store.presentSection.error(for: unit.name) { throw error }
        try store.check(unit)
    }

    var generation: Int { store.generation }

    func extensionTable(_ name: hslink_string) -> UnsafeRawPointer? {
        guard unsafe hslink_string_equals(name, HSLINK_CONFIGURATION) != 0 else { return nil }
        return unsafe UnsafeRawPointer(HostTable.configurationExtension)
    }

    func starting(in core: HostCore) { logProblems(in: core) }
}

extension ConfigurationFeature {
    /// Reads the configuration again and tells components what has changed; see ``LinkHost/reloadConfiguration()``.
    func reload(in core: HostCore) throws(LinkError) -> [String] {
        let units = core.registry.contents.withLock { $0.ordered }
        let changed = try store.reload(units)
        for unit in units where unit.hasFailedOnConfiguration { unit.reset() }
        logProblems(in: core)
        if !changed.isEmpty { core.announce(ConfigurationChanged(components: changed)) }
        return changed
    }

    /// Reads the configuration again after a file may have changed. Logs what has changed, and a problem once.
    private func reloadChanged(in core: HostCore) {
        guard store.loader != nil else { return }
        let former = store.error
        do throws(LinkError) {
            let changed = try reload(in: core)
            guard !changed.isEmpty else { return }
            core.log(.info, "the configuration of \(changed.joined(separator: ", ")) has changed")
        } catch {
            if error.message != former?.message {
                core.log(.error, "the previous configuration stays in effect: \(error.message)")
            }
        }
    }

    /// The host's own section, and that of each component that declares one or for which there is one.
    func sections(in core: HostCore) throws(LinkError) -> [CheckedConfiguration] {
        let own = store.presentSection.checked(components(of: core), besides: store.initialSection)
        var sections = own.entries.isEmpty && own.errors.isEmpty && own.warnings.isEmpty ? [] : [own]
        for unit in core.registry.contents.withLock({ $0.ordered }) where !unit.isHost {
            let section = try store.presentSection(of: unit)
            if section.isDeclared || !section.entries.isEmpty { sections.append(section) }
        }
        return sections
    }

    /// The components that the host has found, with those that are disabled.
    private func components(of core: HostCore) -> [HostSection.Component] {
        let (units, disabled) = core.registry.contents.withLock { ($0.components, $0.catalog.disabledEntries) }
        let manifests = units.map(\.manifest) + disabled.map(\.manifest)
        var known: Set<ExactText> = []
        return manifests.filter { known.insert(ExactText($0.name)).inserted }
            .map { HostSection.Component(name: $0.name, startsWithHost: $0.starts == .withHost) }
    }

    /// Logs everything that is wrong with the configuration and has not been logged yet.
    private func logProblems(in core: HostCore) {
        var problems: [(level: LogLevel, message: String, component: String)] = []
        if let error = store.error { problems.append((.error, error.message, "host")) }
        let held = Set(core.registry.contents.withLock { $0.ordered }.filter(store.holds).map(\.name))
        for section in (try? sections(in: core)) ?? [] {
            let end = held.contains(section.component) ? "; the previous values stay in effect" : ""
            problems += section.errors.map { (.error, $0 + end, section.component) }
            problems += section.warnings.map { (.warning, $0, section.component) }
        }
        problems += warnings(in: core).map { ($0.isMisspelt ? .warning : .info, $0.message, "host") }
        let new = store.takeNew(problems.map(\.message))
        for problem in problems where new.contains(problem.message) {
            core.options.log(problem.level, problem.message, component: problem.component)
        }
    }

    /// The sections of components that are not there, which may be as intended unless a name is misspelt.
    func warnings(in core: HostCore) -> [(message: String, isMisspelt: Bool)] {
        let names = components(of: core).map(\.name)
        let known = Set(names.map { ExactText($0) })
        func warning(_ key: String, _ place: String, similar: String?) -> (message: String, isMisspelt: Bool) {
            let advice = similar.map { "; did you mean \($0)?" } ?? ""
            return ("\(key.escaped) in \(place): there is no such component\(advice)", similar != nil)
        }
        let sections = store.unusedSections(known.union([ExactText(HostSection.name)])).map { key, origin in
            let section = key.section.text
            if let advice = KeyAdvice(key, in: origin.form, names: names) {
                let message = "\(section.escaped) in \(origin.name): there is no such component\(advice.text)"
                return (message: message, isMisspelt: true)
            }
            let similar = SimilarName.nearest(to: section, in: names + [HostSection.name])
            return warning(section, origin.name, similar: similar)
        }
        let settings = store.presentSection.unknownComponents(known).map { component, place in
            warning(HostSection.key(of: component), place, similar: SimilarName.nearest(to: component, in: names))
        }
        return sections + settings
    }
}

extension ComponentUnit {
    /// Whether it could not start because of its configuration.
    fileprivate var hasFailedOnConfiguration: Bool {
        guard case .failed(let error) = currentState else { return false }
        return error.concernsConfiguration
    }
}
