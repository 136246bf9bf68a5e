import CHSLink
import ComponentCatalog
import ComponentKit
import SystemSupport

/// The configuration of a host: what its loader has read last, and what that means for each component.
final class ConfigurationStore: Sendable {
    private struct State {
        var origins: [ConfigurationOrigin] = []
        /// Why they could not be read the last time; nil if they could.
        var error: LinkError?
        /// Counts how often the origins have been read.
        var generation = 0
        /// The sections of components that have asked since.
        var sections: [ComponentNumber: CheckedConfiguration] = [:]
        /// The former origins of running components whose values in the present ones are not valid.
        var held: [ComponentNumber: [ConfigurationOrigin]] = [:]
        /// The manifests of the components, and how often they have been replaced.
        var manifests: [Manifest] = []
        var scans = 0
        /// What keys of the origins may be meant for; nil until it is needed.
        var owners: KeyOwners?
        /// What has been logged about the origins and the sections.
        var reported: Set<String> = []
    }

    let loader: (any ConfigurationLoader)?
    private let policy: TrustPolicy
    /// The host's own section when the host was made, whose settings are in effect until it ends.
    let initialSection: HostSection
    private let state: Lock<State>
    /// Taken while the origins are read, so that the last reading wins.
    private let reading = Lock(())

    init(_ loader: (any ConfigurationLoader)?, policy: TrustPolicy) {
        self.loader = loader
        self.policy = policy
        var first = State()
        do throws(LinkError) {
            first.origins = try loader?.load(policy) ?? []
        } catch {
            first.error = error
        }
        initialSection = HostSection(first.origins)
        state = Lock(first)
    }

    /// Why the origins could not be read the last time; nil if they could.
    var error: LinkError? { state.withLock { $0.error } }

    /// The host's own section in the origins as they were read last.
    var presentSection: HostSection { HostSection(state.withLock { $0.origins }) }

    /// The names of the origins, in the order in which they are asked.
    var originNames: [String] { state.withLock { $0.origins.map(\.name) } }

    /// Returns the section that a component reads. It is a former one while the component is running and its present
    /// one is not valid.
    ///
    /// - Throws: `LinkError` in the domain `hslink.configuration` if the host has never been able to read its origins.
    func section(of unit: ComponentUnit) throws(LinkError) -> CheckedConfiguration {
        if let held = held(by: unit) { return CheckedConfiguration(of: unit.manifest, in: held, owners: owners) }
        return try presentSection(of: unit)
    }

    /// Whether a component reads former values, because its present ones are not valid.
    func holds(_ unit: ComponentUnit) -> Bool { held(by: unit) != nil }

    private func held(by unit: ComponentUnit) -> [ConfigurationOrigin]? { state.withLock { $0.held[unit.number] } }

    /// Returns the section of a component in the origins as they were read last.
    ///
    /// - Throws: `LinkError` in the domain `hslink.configuration` if the host has never been able to read its origins.
    func presentSection(of unit: ComponentUnit) throws(LinkError) -> CheckedConfiguration {
        let (known, origins, age, error) = state.withLock {
            ($0.sections[unit.number], $0.origins, ($0.scans, $0.generation), $0.error)
        }
        if let known { return known }
        if let error, origins.isEmpty { throw error }
        let section = CheckedConfiguration(of: unit.manifest, in: origins, owners: owners, remark: remark)
        state.withLock { state in
            // Another component may have been found meanwhile, for which a key may be meant.
            if age == (state.scans, state.generation) { state.sections[unit.number] = section }
        }
        return section
    }

    /// Differs after the origins have been read again.
    var generation: Int { state.withLock { $0.generation } }

    /// Forgets the sections of components that may have been replaced.
    ///
    /// - Parameter units: the components of the host.
    func forgetSections(_ units: [ComponentUnit]) {
        let manifests = units.filter { !$0.isHost }.map(\.manifest)
        state.withLock { state in
            state.sections = [:]
            state.manifests = manifests
            state.scans += 1
            state.owners = nil
        }
    }

    /// What keys of the present origins may be meant for.
    private var owners: KeyOwners {
        let (known, manifests, origins, age) = state.withLock {
            ($0.owners, $0.manifests, $0.origins, ($0.scans, $0.generation))
        }
        if let known { return known }
        let owners = KeyOwners(manifests, origins)
        state.withLock { state in
            if age == (state.scans, state.generation) { state.owners = owners }
        }
        return owners
    }

    /// What to add to an error about a value that is missing, if the host reads none at all.
    private var remark: String {
        loader != nil
            ? ""
            : "; the host of this program reads no files and no environment: set the host's option 'configuration', "
                + "which is there with the trait \"Configuration\" of the package HSLink"
    }

    /// Returns those of all current problems that were not there when this was last called.
    func takeNew(_ problems: [String]) -> Set<String> {
        state.withLock { state in
            defer { state.reported = Set(problems) }
            return Set(problems).subtracting(state.reported)
        }
    }

    /// Checks what a component declares.
    ///
    /// - Throws: `LinkError` in the domain `hslink.configuration` with everything that is wrong.
    func check(_ unit: ComponentUnit) throws(LinkError) {
        guard unit.manifest.configuration != nil, !unit.isHost else { return }
        if let error = try section(of: unit).error { throw error }
    }

    /// Returns the value of a key of a component, declared or not; nil if it has none.
    func value(_ key: String, _ type: ConfigurationType, of unit: ComponentUnit) throws(LinkError) -> Payload? {
        let (origins, error) = state.withLock { ($0.held[unit.number] ?? $0.origins, $0.error) }
        if let error, origins.isEmpty { throw error }
        let path = key.exactParts(between: ".", omittingEmpty: false)
        guard path.allSatisfy({ !$0.isEmpty }) else {
            throw LinkError(
                configuration: HSLINK_CONFIGURATION_KEY,
                "expected a key such as \"proxy.host\", found \(key.quoted(limit: 60))")
        }
        let owners = owners
        for origin in origins {
            do throws(ConfigurationOrigin.Mismatch) {
                if let found = try owners.find(path, of: unit.name, as: type, in: origin) {
                    return .some(found.value)
                }
            } catch {
                throw LinkError(
                    configuration: HSLINK_CONFIGURATION_INVALID,
                    error.message("\(unit.name).\(key.escaped)", expected: type.words))
            }
        }
        return nil
    }

    /// Reads the origins again. If one cannot be read, everything stays as it was.
    ///
    /// - Parameter units: the components of the host.
    /// - Returns: The names of the components whose values have changed.
    /// - Throws: `LinkError` in the domain `hslink.configuration` with the file that cannot be used, and why.
    func reload(_ units: [ComponentUnit]) throws(LinkError) -> [String] {
        guard let loader else { return [] }
        return try reading.withLock { _ throws(LinkError) in
            let origins: [ConfigurationOrigin]
            do throws(LinkError) {
                origins = try loader.load(policy)
            } catch {
                state.withLock { $0.error = error }
                throw error
            }
            let (before, formerlyHeld) = state.withLock { ($0.origins, $0.held) }
            var held: [ComponentNumber: [ConfigurationOrigin]] = [:]
            var changed: [String] = []
            let manifests = units.filter { !$0.isHost }.map(\.manifest)
            let (formerOwners, owners) = (KeyOwners(manifests, before), KeyOwners(manifests, origins))
            let isSame = before.map(\.revision) == origins.map(\.revision)
            for unit in units where !unit.isHost {
                let former = formerlyHeld[unit.number] ?? before
                let (old, new) = (
                    CheckedConfiguration(of: unit.manifest, in: former, owners: formerOwners, remark: remark),
                    CheckedConfiguration(of: unit.manifest, in: origins, owners: owners, remark: remark)
                )
                if unit.isRunning, old.errors.isEmpty, !new.errors.isEmpty {
                    held[unit.number] = former
                    continue
                }
                // The values of other keys have no type by which they could be compared.
                let differs =
                    old.values != new.values || old.errors != new.errors
                    || (!isSame && !new.isDeclared && !(old.entries.isEmpty && new.entries.isEmpty))
                if differs { changed.append(unit.name) }
            }
            state.withLock { [held] state in
                state.origins = origins
                state.held = held
                state.generation += 1
                state.error = nil
                state.sections = [:]
                state.owners = nil
            }
            return changed
        }
    }

    /// Returns the first key of each section for which there is no component, with its origin.
    ///
    /// - Parameter names: the names of the components.
    func unusedSections(_ names: Set<ExactText>) -> [(key: ConfigurationKey, origin: ConfigurationOrigin)] {
        var unused: [(ConfigurationKey, ConfigurationOrigin)] = []
        // Directories of secrets may have those of other programs, too.
        for origin in state.withLock({ $0.origins }) where !origin.isSecret {
            var known: Set<ExactText> = []
            for key in origin.keys ?? [] {
                // More warnings are of no use, and a file may have very many sections.
                guard unused.count < 20 else { return unused }
                guard !names.contains(key.section), known.insert(key.section).inserted else { continue }
                unused.append((key, origin))
            }
        }
        return unused
    }
}

extension ComponentUnit {
    fileprivate var isRunning: Bool {
        if case .running = currentState { true } else { false }
    }
}
