import ManifestRules

/// The layers that components declare themselves, in `@Component(layer:)`, and the contracts that they provide.
///
/// Components use each other through contracts only, and even so a lower component must not use a higher one: an account
/// component, on which others rely, must not rely on one of them.
struct DeclaredLayers {
    /// A component that declares its layer.
    struct Provider {
        let name: String
        let layer: String
        let place: SourcePlace
    }

    private var components: [String: Provider] = [:]
    /// The providers of contracts, by the contract's target.
    private var providers: [String: [Provider]] = [:]

    init(_ package: SourcePackage, _ map: LayerMap) {
        var byService: [String: [Provider]] = [:]
        for target in package.targets where map.placement(ofTarget: target.name)?.layer == .component {
            guard let file = target.files.first(where: { $0.facts.declaredLayer != nil }),
                let layer = file.facts.declaredLayer, let position = file.facts.component
            else { continue }
            let place = SourcePlace(path: file.path, position: position)
            let provider = Provider(name: target.name, layer: layer, place: place)
            components[target.name] = provider
            for service in target.files.flatMap(\.facts.provides) { byService[service, default: []].append(provider) }
        }
        for target in package.targets where map.placement(ofTarget: target.name)?.layer == .contract {
            providers[target.name] = target.files.flatMap(\.facts.services).flatMap { byService[$0] ?? [] }
        }
    }

    /// Returns the layer that a component declares.
    func layer(of component: String) -> String? { components[component]?.layer }

    /// Whether a component declares that it belongs to the common layer or to the one below.
    func isCommon(_ component: String) -> Bool { ["base", "common"].contains(layer(of: component)) }

    /// Returns a component of a higher declared layer that provides a contract; nil if there is none, or if one of the
    /// two declares no layer.
    func higherProvider(of contract: String, for component: String) -> Provider? {
        guard let own = components[component].flatMap({ ComponentLayers.names.firstIndex(of: $0.layer) }) else {
            return nil
        }
        return providers[contract]?.first { provider in
            (ComponentLayers.names.firstIndex(of: provider.layer) ?? 0) > own
        }
    }
}
