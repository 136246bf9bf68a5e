import ManifestRules
import SystemSupport

/// The part of a message that says what the rule is and what to do.
struct Advice {
    private let package: SourcePackage
    private let map: LayerMap

    init(_ package: SourcePackage, _ map: LayerMap) {
        self.package = package
        self.map = map
    }

    func text(
        for fault: LayerFinding.Kind, in target: SourceTarget, from: Layer, using used: SourceTarget.Dependency,
        to: Layer
    ) -> String {
        switch fault {
        case .sideways where from == .contract:
            "a contract must not depend on a component; move the protocol or model that it needs from "
                + "\(used.name.escaped) into the contract"
        case .sideways: "components use each other through contracts only; \(contractAdvice(used))"
        case .thirdParty:
            "third-party code belongs in the common layer; \(wrapperAdvice(target, used)) and import that instead"
        case .upward where to == .host && from == .component:
            "a component must not depend on its host; use what the host offers through ComponentKit, or through a "
                + "contract that the host provides"
        case .upward where to == .component:
            "a lower layer must not depend on a higher one; pass in what it needs as an argument, or use the "
                + "component's contract"
        default:
            "a lower layer must not depend on a higher one; move the code that both need down into the layer "
                + "\(from.title), or pass it in as an argument"
        }
    }

    /// The rest of the message about a component that uses the contract of a component of a higher declared layer.
    func text(forContract contract: String, of provider: DeclaredLayers.Provider, usedBy target: String) -> String {
        "\(contract.escaped), the contract of \(provider.name.escaped) (\(provider.layer)): a component must not use one "
            + "of a higher declared layer; let \(provider.name.escaped) call \(target.escaped) instead"
    }

    private func contractAdvice(_ used: SourceTarget.Dependency) -> String {
        // The name that `hslink new component --contract` gives it. Other contracts that the component depends on may
        // be those of others.
        let contract = "\(used.name)Contract"
        guard map.placement(ofTarget: contract)?.layer == .contract else {
            return "declare what it needs as a @LinkService protocol in a target of its own, and import that instead"
        }
        return "import \(contract.escaped) instead"
    }

    private func wrapperAdvice(_ target: SourceTarget, _ used: SourceTarget.Dependency) -> String {
        let wrapper = package.targets.first { other in
            other.name != target.name && map.placement(ofTarget: other.name)?.layer == .common
                && other.dependencies.contains { isSamePackage($0, used) }
        }
        let place = wrapper.map { "target of the common layer, such as \($0.name.escaped)," }
        return "wrap it in a \(place ?? "target of the common layer")"
    }

    private func isSamePackage(_ one: SourceTarget.Dependency, _ other: SourceTarget.Dependency) -> Bool {
        switch (one, other) {
        case (.product(_, let package?, _), .product(_, let owner?, _)): package == owner
        default: one.name == other.name
        }
    }

    /// The dependency as it is written in a manifest.
    static func declaration(of used: SourceTarget.Dependency) -> String {
        switch used {
        case .target(let name), .product(let name, nil, _): name.quoted()
        case .product(let name, let package?, _): ".product(name: \(name.quoted()), package: \(package.quoted()))"
        }
    }
}
