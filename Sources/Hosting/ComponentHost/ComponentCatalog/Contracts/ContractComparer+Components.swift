import SystemSupport

extension ContractComparer {
    /// Compares the classes of two components. Selectors of services that both sides provide and describe are left to
    /// ``compareProvidedServices(_:_:)``.
    mutating func compareClasses(_ old: Manifest, _ new: Manifest) {
        let scopes = Scopes(
            consumer: ModelPool.Scope(module: old.module, owner: ""),
            provider: ModelPool.Scope(module: new.module, owner: ""))
        let names = Names(old.classes, new.classes, name: \.name) {
            $0.selectors.isEmpty ? nil : $0.selectors
        }
        let (oldServices, newServices) = (old.contract.servicesByName, new.contract.servicesByName)
        for linkClass in old.classes {
            if let other = names.same(linkClass) {
                let services = Set(linkClass.provides).intersection(other.provides)
                let known = Set(
                    services.flatMap { name -> [SelectorReference] in
                        guard let service = oldServices[name], newServices[name] != nil else { return [] }
                        return service.selectors.map(\.reference)
                    })
                let own = [linkClass, other].map { $0.selectors.filter { !known.contains($0.reference) } }
                compare(own[0], own[1], in: scopes, prefix: "\(linkClass.name).")
            } else if let other = names.renamed(linkClass) {
                add(
                    .incompatible, at: linkClass.name, change: "renamed?", expected: "class \(linkClass.name)",
                    offered: "class \(other.name)")
            } else {
                add(.incompatible, at: linkClass.name, change: "removed", expected: "class \(linkClass.name)")
            }
        }
        for linkClass in names.added {
            add(.compatible, at: linkClass.name, change: "new", offered: "class \(linkClass.name)")
        }
    }

    /// Compares the services that two components provide. Services that a component only uses are not part of what it
    /// offers.
    mutating func compareProvidedServices(_ old: Manifest, _ new: Manifest) {
        let (expected, offered) = (old.providedServices, new.providedServices)
        let (oldServices, newServices) = (old.contract.servicesByName, new.contract.servicesByName)
        let (expectedNames, offeredNames) = (Set(expected), Set(offered))
        for name in expected {
            guard offeredNames.contains(name) else {
                add(.incompatible, at: name, change: "no longer provided", expected: "service \(name)")
                continue
            }
            if let expected = oldServices[name], let offered = newServices[name] {
                compare(expected, offered, prefix: "\(expected.protocolName).")
            } else {
                let sides = [(oldServices, files.consumer), (newServices, files.provider)]
                let lacking = sides.filter { $0.0[name] == nil }
                let reasons = lacking.map { "\($0.1) has no note about it" }
                add(.notCompared, at: name, change: "not compared: \(reasons.joined(separator: ", "))")
            }
        }
        for name in offered where !expectedNames.contains(name) {
            add(.compatible, at: name, change: "new", offered: "service \(name)")
        }
    }

    /// Compares models that no selector led to, such as errors and types in untyped payloads. Because their use is
    /// unknown, they are compared in both directions, except errors, which only travel to the consumer. Models of
    /// services that the component only uses are skipped.
    mutating func compareUnreachedModels(_ old: Manifest) {
        compareModels()
        let provided = Set(old.providedServices)
        var used = ContractComparer(consumer, consumer)
        for service in consumer.services where !provided.contains(service.name) {
            used.compare(service, service, prefix: "")
        }
        used.compareModels()
        // Compare errors first, because models reached only through errors also travel only to the consumer.
        for onlyErrors in [true, false] {
            for index in consumerModels.models.indices where !reached.contains(index) && !used.reached.contains(index) {
                let model = consumerModels.models[index]
                if model.isError == onlyErrors { compareUnreached(index, model) }
            }
            compareModels()
        }
    }

    private mutating func compareUnreached(_ index: Int, _ model: ModelDeclaration) {
        let scope = ModelPool.Scope(module: model.module, owner: "")
        switch providerModels.find(model.name, in: scope) {
        case .model(let other) where providerModels.models[other].name.isExactly(model.name):
            enqueue(index, other, flow: .toConsumer)
            if !model.isError { enqueue(index, other, flow: .toProvider) }
        case .several: skip(model.name, consumer: .model(index), provider: .several)
        default: add(.incompatible, at: model.name, change: "removed", expected: "model \(model.name)")
        }
    }
}

extension Contract {
    fileprivate var servicesByName: [String: ServiceDeclaration] {
        Dictionary(services.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension Manifest {
    /// The services that the component's classes provide, without duplicates, in the order of the manifest.
    package var providedServices: [String] {
        var seen: Set<String> = []
        return classes.flatMap(\.provides).filter { seen.insert($0).inserted }
    }
}
