import CHSLink
import ComponentKit
import ManifestRules
import SystemSupport

/// The host's own class `hslink.Configuration`, with which tools show what is configured.
///
/// | class method | payload | answer |
/// |---|---|---|
/// | `sections` | nothing | what `hslink config --json` prints |
///
/// Values that must not be shown are left out. A program outside cannot read them, since a component asks for its own
/// through the host's functions.
final class ConfigurationLink: LinkClass {
    static let className = "hslink.Configuration"
    static let provided = ProvidedClass(ConfigurationLink.self, name: className)

    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<ConfigurationLink>] = [
        .classMethod("sections") { payload, call -> Payload in
            try HostCore.of(call.context).configurationPayload
        }
    ]
}

extension HostCore {
    fileprivate var configurationPayload: Payload {
        var entries: [(String, Payload)] = [
            ("environment", .string(settings.environment.rawValue)),
            ("sources", configuration.originNames.payload),
        ]
        if let error = configuration.error { entries.append(("error", .string(error.message))) }
        let sections = (try? configurationSections()) ?? []
        entries.append(("sections", .array(sections.map(\.payload))))
        let warnings = configurationWarnings.map(\.message)
        if !warnings.isEmpty { entries.append(("warnings", warnings.payload)) }
        return .map(entries)
    }

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

extension ConfigurationSection {
    fileprivate var payload: Payload {
        var map: [(String, Payload)] = [
            ("component", .string(component)), ("keys", .array(entries.map(\.payload))),
        ]
        if !errors.isEmpty { map.append(("errors", errors.payload)) }
        if !warnings.isEmpty { map.append(("warnings", warnings.payload)) }
        return .map(map)
    }
}

extension ConfigurationSection.Entry {
    fileprivate var payload: Payload {
        var map: [(String, Payload)] = [("key", .string(key))]
        if let type { map.append(("type", .string(type))) }
        if case .some(let value) = value { map.append(("value", value)) }
        if let place { map.append(("from", .string(place))) }
        if isSecret { map.append(("secret", true)) }
        return .map(map)
    }
}
