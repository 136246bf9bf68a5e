import SystemSupport

/// What disabled components would provide, for the reasons why requirements are not met.
struct DisabledCandidates {
    /// The setting that disables each component.
    private var settings: [ExactText: String] = [:]
    /// The component that has each class.
    private var owners: [ExactText: String] = [:]
    /// The components that provide each service.
    private var providers: [ExactText: [String]] = [:]

    init(_ candidates: [Catalog.Candidate], _ selection: CandidateSelection) {
        for (index, setting) in selection.disabled {
            let manifest = candidates[index].manifest
            // Several files may have the same component.
            guard settings.updateValue(setting, forKey: ExactText(manifest.name)) == nil else { continue }
            for declaration in manifest.classes { owners[ExactText(declaration.name)] = manifest.name }
            for service in Set(manifest.classes.flatMap(\.provides).map { ExactText($0) }) {
                providers[service, default: []].append(manifest.name)
            }
        }
    }

    /// Returns a sentence about a component; nil if it is not disabled.
    func obstacle(ofComponent name: String) -> String? {
        settings[ExactText(name)].map { "the component \(name) is disabled by \($0)" }
    }

    /// Returns a sentence about the component that has a class; nil if no disabled one has it.
    func obstacle(ofClass name: String) -> String? {
        owners[ExactText(name)].flatMap(obstacle(ofComponent:)).map { "\($0), and has the class \(name)" }
    }

    /// Returns a sentence for each disabled component that provides a service.
    func obstacles(ofService name: String) -> [String] {
        (providers[ExactText(name)] ?? []).compactMap(obstacle(ofComponent:)).map {
            "\($0), and provides the service \(name)"
        }
    }
}
