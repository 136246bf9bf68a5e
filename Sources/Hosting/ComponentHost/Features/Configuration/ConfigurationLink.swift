import ComponentKit
import HostContract

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
        let feature = core.feature(ConfigurationFeature.self)
        return ConfigurationReport(
            environment: feature.environment.rawValue, sources: feature.store.originNames,
            error: feature.store.error?.message,
            sections: ((try? feature.sections(in: core)) ?? []).map { ConfigurationSectionRow($0) },
            warnings: feature.warnings(in: core).map(\.message))
    }
}

extension ConfigurationSectionRow {
    fileprivate init(_ section: CheckedConfiguration) {
        let keys = section.entries.map { entry in
            ConfigurationKeyRow(
                key: entry.key, type: entry.type, value: entry.value, from: entry.place, secret: entry.isSecret)
        }
        self.init(component: section.component, keys: keys, errors: section.errors, warnings: section.warnings)
    }
}
