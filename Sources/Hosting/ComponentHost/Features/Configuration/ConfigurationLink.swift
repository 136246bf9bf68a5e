import CHSLink
import ComponentKit
import HostContract
import ManifestRules
import SystemSupport

/// The host's own class `hslink.Configuration`, with which tools show what is configured. Swift code uses
/// `HostConfigurationServiceClient` of `HostContract`, where the answer is described.
///
/// | class method | payload | answer |
/// |---|---|---|
/// | `sections` | nothing | what `hslink config --json` prints |
///
/// Values that must not be shown are left out. A program outside cannot read them, since a component asks for its own
/// through the host's functions.
final class ConfigurationLink: LinkClass, HostConfigurationService {
    static let provided = ProvidedClass(ConfigurationLink.self, name: "hslink.Configuration")
    static let services = [HostConfigurationServiceClient.__service.name]
    static let methods = HostConfigurationServiceTable<ConfigurationLink>.methods

    private let core: HostCore

    init(_ context: ComponentContext) throws { core = try HostCore.of(context) }

    func sections() -> ConfigurationReport {
        ConfigurationReport(
            environment: core.settings.environment.rawValue, sources: core.configuration.originNames,
            error: core.configuration.error?.message,
            sections: ((try? core.configurationSections()) ?? []).map { ConfigurationSectionRow($0) },
            warnings: core.configurationWarnings.map(\.message))
    }
}

extension HostCore {
    /// The sections of components that are not there, which may be as intended unless a name is misspelt.
    var configurationWarnings: [(message: String, isMisspelt: Bool)] {
        let names = registry.contents.withLock { $0.ordered.map(\.name) }
        return configuration.unusedSections(Set(names.map { ExactText($0) })).map { section, place in
            let nearest = NearMiss.nearest(to: section, in: names)
            let advice = nearest.map { "; did you mean \($0)?" } ?? ""
            return ("\(section.escaped) in \(place): there is no such component\(advice)", nearest != nil)
        }
    }
}

extension ConfigurationSectionRow {
    fileprivate init(_ section: ConfigurationSection) {
        let keys = section.entries.map { entry in
            ConfigurationKeyRow(
                key: entry.key, type: entry.type, value: entry.value, from: entry.place, secret: entry.isSecret)
        }
        self.init(component: section.component, keys: keys, errors: section.errors, warnings: section.warnings)
    }
}
