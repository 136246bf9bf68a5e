import CHSLink
import ComponentCatalog
import ComponentKit
import ManifestRules
import SystemSupport

/// The host's own section of the configuration, `host`, which says which components the host uses:
///
///     host:
///       components:
///         ComponentVideo:
///           enabled: false
///
/// No component has this name.
struct HostSection: Sendable {
    private let origins: [ConfigurationOrigin]

    init(_ origins: [ConfigurationOrigin]) { self.origins = origins }

    static let name = TextRule.hostName
    private static let components = "components"

    /// A setting that each component has.
    private struct Setting: Equatable {
        let name: String
        let type: ConfigurationType
        let text: String

        static let enabled = Setting(name: "enabled", type: .scalar(.bool), text: "Bool = true")
        static let priority = Setting(name: "priority", type: .scalar(.int), text: "Int")
        static let all = [enabled, priority]

        func key(of component: String) -> String { "\(HostSection.key(of: component)).\(name)" }
    }

    /// The key under which a component has its settings.
    static func key(of component: String) -> String { "\(name).\(components).\(component)" }

    private enum Outcome {
        case missing
        case found(ConfigurationOrigin.Found, isSecret: Bool)
        case wrong(String, place: String)
        /// What should be a section with those of all components is something else, which may belong to another
        /// program that reads the same file.
        case foreign(String)
    }

    /// Looks up a setting of a component.
    private func lookUp(_ setting: Setting, of component: String) -> Outcome {
        let key = setting.key(of: component)
        let path = [HostSection.name, HostSection.components, component, setting.name]
        var foreign: String?
        for origin in origins {
            do throws(ConfigurationOrigin.Mismatch) {
                guard let found = try origin.find(path, setting.type) else { continue }
                if setting == .priority, let number = try? found.value.int(), !RouteRules.priorities.contains(number) {
                    return .wrong(
                        "\(key) in \(found.place): expected \(RouteRules.expectedPriority)", place: found.place)
                }
                return .found(found, isSecret: origin.isSecret)
            } catch {
                let problem = error.message(key, expected: "\(setting.type.words) (\(setting.text))")
                guard case .section(let section, _) = error.problem,
                    path[0].isExactly(section)
                        || path[..<2].joined(separator: ".").isExactly(section)
                else { return .wrong(problem, place: error.place) }
                foreign = foreign ?? problem
            }
        }
        return foreign.map(Outcome.foreign) ?? .missing
    }

    /// Returns what is configured for a component. Values that are wrong are left out.
    func settings(of component: String) -> ComponentSettings {
        var settings = ComponentSettings()
        if case .found(let found, _) = lookUp(.enabled, of: component), (try? found.value.bool()) == false {
            settings.disabledBy = "\(Setting.enabled.key(of: component)) in \(found.place)"
        }
        if case .found(let found, _) = lookUp(.priority, of: component) { settings.priority = try? found.value.int() }
        return settings
    }

    /// Returns the error with which a component cannot start, because one of its settings is wrong; nil if none is.
    func error(for component: String) -> LinkError? {
        var problems: [String] = []
        for setting in Setting.all {
            guard case .wrong(let problem, _) = lookUp(setting, of: component), !problems.containsExactly(problem)
            else {
                continue
            }
            problems.append(problem)
        }
        guard !problems.isEmpty else { return nil }
        return LinkError(
            configuration: HSLINK_CONFIGURATION_INVALID,
            "the host's configuration is not valid: \(problems.joined(separator: "; "))")
    }

    // MARK: - For operators

    /// A component that a host has found.
    struct Component {
        let name: String
        /// Whether its priority has an effect.
        let startsWithHost: Bool
    }

    /// Returns the settings that there are, and what is wrong with them.
    ///
    /// - Parameter former: the section whose settings are in effect.
    func checked(_ components: [Component], besides former: HostSection) -> CheckedConfiguration {
        var entries: [CheckedConfiguration.Entry] = []
        var (errors, warnings): ([String], [String]) = ([], [])
        // A section that is something else is found for each setting.
        func add(_ text: String, to texts: inout [String]) {
            if !texts.containsExactly(text) { texts.append(text) }
        }
        for component in components {
            for setting in Setting.all {
                let key = setting.key(of: component.name)
                // As in the sections of components, without the name of the section.
                let shown = key.without(exactPrefix: HostSection.name + ".")
                switch lookUp(setting, of: component.name) {
                case .missing: break
                case .found(let found, let isSecret):
                    entries.append(
                        CheckedConfiguration.Entry(
                            key: shown, type: setting.text, value: isSecret ? nil : found.value, place: found.place,
                            isSecret: isSecret))
                    if setting == .priority, !component.startsWithHost {
                        add(
                            "\(key) in \(found.place) has no effect: the component does not start with its host",
                            to: &warnings)
                    }
                case .wrong(let problem, let place):
                    entries.append(
                        CheckedConfiguration.Entry(
                            key: shown, type: setting.text, value: nil, place: place, isSecret: false))
                    add(problem, to: &errors)
                case .foreign(let problem): add(problem, to: &warnings)
                }
            }
            let (old, new) = (former.settings(of: component.name), settings(of: component.name))
            let changes = [
                (Setting.enabled, (old.disabledBy == nil) != (new.disabledBy == nil)),
                (Setting.priority, old.priority != new.priority),
            ]
            for (setting, hasChanged) in changes where hasChanged {
                add(
                    "\(setting.key(of: component.name)) has changed: restart the host for it to take effect",
                    to: &warnings)
            }
        }
        warnings += unknownSettings(Set(components.map { ExactText($0.name) }))
        return CheckedConfiguration(hostEntries: entries, errors: errors, warnings: warnings)
    }

    /// Returns words about the keys that are no settings of these components.
    private func unknownSettings(_ names: Set<ExactText>) -> [String] {
        var warnings: [String] = []
        forEachKey { key, place in
            let known = Setting.all.map(\.name)
            if let (component, setting) = HostSection.split(key, names) {
                if names.contains(ExactText(component)), !setting.isEmpty, !known.containsExactly(setting) {
                    warnings.append(HostSection.warning(key, place, expected: known, found: setting))
                }
            } else if !HostSection.components.isExactly(key) {
                let first = key.exactParts(between: ".", omittingEmpty: false)[0]
                warnings.append(HostSection.warning(key, place, expected: [HostSection.components], found: first))
            }
            return warnings.count < 20
        }
        return warnings
    }

    private static func warning(_ key: String, _ place: String, expected: [String], found: String) -> String {
        let similar = SimilarName.nearest(to: found, in: expected).map { "; did you mean \($0)?" } ?? ""
        return "\(HostSection.name).\(key.escaped) in \(place) has no effect: expected "
            + expected.joined(separator: " or ") + similar
    }

    /// Returns the components that have settings in files and are not among these, with the names of the files.
    func unknownComponents(_ names: Set<ExactText>) -> [(component: String, place: String)] {
        var unknown: [(String, String)] = []
        var known = names
        forEachKey { key, place in
            if let (component, _) = HostSection.split(key, names), known.insert(ExactText(component)).inserted {
                unknown.append((component, place))
            }
            // More warnings are of no use, and a file may have very many keys.
            return unknown.count < 20
        }
        return unknown
    }

    /// Passes on the keys of this section, without its name, until the body returns false. Directories of secrets may
    /// have those of other programs, too.
    private func forEachKey(_ body: (_ key: String, _ place: String) -> Bool) {
        for origin in origins where !origin.isSecret {
            for key in origin.keys ?? [] where key.section.text.isExactly(HostSection.name) {
                guard let key = key.key?.text else { continue }
                guard body(key, origin.name) else { return }
            }
        }
    }

    /// Splits a key such as `components.ComponentVideo.enabled`. Names of components may contain dots.
    ///
    /// - Parameter names: the components that there are.
    /// - Returns: Nil if the key is not that of a component. The setting may be empty.
    private static func split(_ key: String, _ names: Set<ExactText>) -> (component: String, setting: String)? {
        let start = components + "."
        guard key.hasExactPrefix(start) else { return nil }
        let parts = key.without(exactPrefix: start).exactParts(between: ".", omittingEmpty: false)
        func split(_ count: Int) -> (String, String) {
            (parts[..<count].joined(separator: "."), parts[count...].joined(separator: "."))
        }
        for count in parts.indices.reversed().map({ $0 + 1 }) where names.contains(ExactText(split(count).0)) {
            return split(count)
        }
        return split(max(parts.count - 1, 1))
    }
}
