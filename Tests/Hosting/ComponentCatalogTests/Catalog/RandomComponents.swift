@testable import ComponentCatalog

/// Components that provide and require services in several forms; many of them are unmet.
struct RandomComponents {
    private struct Component {
        let version: Int
        var provides: Set<Int> = []
        /// The selectors of the services that it was compiled with; nil for a service without a note.
        var forms: [Int: [String]] = [:]
        var needs: [Need] = []
    }

    private enum Need {
        case gone
        case component(Int)
        case service(Int, isOptional: Bool)
    }

    /// A requirement of a service: the position of the component, and of the requirement in its list.
    struct Place: Hashable {
        var component: Int
        var need: Int
    }

    private var components: [Component] = []
    private let serviceCount = 4

    init(_ random: inout SplitMix) {
        let count = Int.random(in: 2...24, using: &random)
        // With layers, components require only what is in lower ones, so that there are no cycles.
        let isLayered = Bool.random(using: &random)
        let chances = (0..<4).map { _ in Int.random(in: 5...50, using: &random) }
        func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        for index in 0..<count {
            var component = Component(version: Int.random(in: 1...4, using: &random))
            let layer = index * 5 / count
            for service in 0..<serviceCount {
                if happens(chances[0]), !isLayered || layer <= service { component.provides.insert(service) }
                if happens(chances[1]), !isLayered || layer > service {
                    component.needs.append(.service(service, isOptional: happens(20)))
                }
                if happens(60) { component.forms[service] = ["a", "b", "c"].filter { _ in happens(50) } }
            }
            for other in 0..<count where other != index && happens(chances[2] / 5) {
                if !isLayered || other * 5 / count < layer { component.needs.append(.component(other)) }
            }
            if happens(chances[3]) { component.needs.append(.gone) }
            component.needs.shuffle(using: &random)
            components.append(component)
        }
    }

    // MARK: - Manifests

    /// The names are in the order of the components.
    private func name(_ component: Int) -> String { "N\(component + 100)" }

    /// - Parameter chosen: The components that are required instead of services; nil instead of a component that needs
    ///   no other one, and without an entry for a service that nothing provides.
    func manifests(choosing chosen: [Place: Int?]? = nil) throws -> [Manifest] {
        try components.enumerated().map { index, component in
            let services = component.forms.sorted { $0.key < $1.key }.map { service, form in
                let selectors = form.map { #"{"name": "\#($0)"}"# }.joined(separator: ",")
                return #"{"name": "com.s\#(service)/1", "protocol": "S\#(service)", "selectors": [\#(selectors)]}"#
            }
            let requires = component.needs.enumerated().compactMap { place, need -> String? in
                switch need {
                case .gone: return #"{"component": "Gone"}"#
                case .component(let other): return #"{"component": "\#(name(other))"}"#
                case .service(let service, let isOptional):
                    if chosen != nil, isOptional { return nil }
                    guard let other = chosen?[Place(component: index, need: place)] else {
                        return #"{"service": "com.s\#(service)/1", "optional": \#(isOptional)}"#
                    }
                    return other.map { #"{"component": "\#(name($0))"}"# }
                }
            }
            let provides = component.provides.sorted().map { "\"com.s\($0)/1\"" }.joined(separator: ",")
            return try ManifestAssembly.manifest(
                """
                {"name": "\(name(index))", "version": "\(component.version).0.0", "module": "M",
                 "classes": [{"name": "\(name(index))Link", "provides": [\(provides)]}],
                 "services": [\(services.joined(separator: ","))], "requires": [\(requires.joined(separator: ","))]}
                """)
        }
    }

    // MARK: - The rule

    /// Chooses a provider for each requirement of a service by the rule itself: the first unmet node that is chosen for
    /// a service with another provider left is passed over, then all is done again.
    func choices() -> [Place: Int?] {
        let providers = (0..<serviceCount).map { service in
            components.indices.filter { components[$0].provides.contains(service) }.sorted { left, right in
                let versions = (components[left].version, components[right].version)
                return versions.0 == versions.1 ? left < right : versions.0 > versions.1
            }
        }
        var passedOver: Set<Int> = []
        while true {
            var chosen: [Place: Int?] = [:]
            var required = [[Int]](repeating: [], count: components.count)
            var missing = [UnmetNodes.Cause?](repeating: nil, count: components.count)
            var replaceable: Set<Int> = []
            for (index, component) in components.enumerated() {
                for (place, need) in component.needs.enumerated() {
                    switch need {
                    case .gone: missing[index] = .missing("", reason: "")
                    case .component(let other): required[index].append(other)
                    case .service(let service, let isOptional):
                        let fitting = providers[service].filter { fits($0, index, service) }
                        let found = fitting.first { $0 == index || !passedOver.contains($0) } ?? fitting.first
                        guard let found else {
                            if !isOptional { missing[index] = .missing("", reason: "") }
                            continue
                        }
                        chosen[Place(component: index, need: place)] = .some(found == index ? nil : found)
                        guard found != index else { continue }
                        if !isOptional { required[index].append(found) }
                        if providers[service].contains(where: { $0 != found && !passedOver.contains($0) }) {
                            replaceable.insert(found)
                        }
                    }
                }
            }
            let unmet = UnmetNodes(required: required, missing: missing)
            guard let next = unmet.order.first(where: { replaceable.contains($0) && !passedOver.contains($0) }) else {
                return chosen
            }
            passedOver.insert(next)
        }
    }

    /// Returns whether a provider has all selectors that a consumer was compiled with.
    private func fits(_ provider: Int, _ consumer: Int, _ service: Int) -> Bool {
        guard let expected = components[consumer].forms[service], let offered = components[provider].forms[service]
        else { return true }
        return Set(expected).isSubset(of: offered)
    }
}
