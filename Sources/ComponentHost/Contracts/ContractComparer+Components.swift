extension ContractComparer {
    /// The classes of a component. Selectors of services that both sides provide and describe are left to
    /// ``compareProvidedServices(_:_:)``.
    mutating func compareClasses(_ old: Manifest, _ new: Manifest) {
        let scopes = Scopes(
            consumer: ModelPool.Scope(module: old.module, owner: ""),
            provider: ModelPool.Scope(module: new.module, owner: ""))
        let names = Names(old.classes, new.classes, name: \.name) {
            !$0.selectors.isEmpty && $0.selectors == $1.selectors
        }
        for linkClass in old.classes {
            if let other = names.same(linkClass) {
                let services = Set(linkClass.provides).intersection(other.provides)
                let known = Set(
                    services.flatMap { name -> [SelectorReference] in
                        guard let service = old.contract.service(name), new.contract.service(name) != nil else {
                            return []
                        }
                        return service.selectors.map(\.reference)
                    })
                let own = [linkClass, other].map { $0.selectors.filter { !known.contains($0.reference) } }
                compare(own[0], own[1], scopes, prefix: "\(linkClass.name).")
            } else if let other = names.renamed(linkClass) {
                add(.incompatible, linkClass.name, "renamed?", "class \(linkClass.name)", "class \(other.name)")
            } else {
                add(.incompatible, linkClass.name, "removed", "class \(linkClass.name)")
            }
        }
        for linkClass in names.added { add(.compatible, linkClass.name, "new", nil, "class \(linkClass.name)") }
    }

    /// The services that a component provides; those that it only uses are not what it offers.
    mutating func compareProvidedServices(_ old: Manifest, _ new: Manifest) {
        let offered = new.providedServices
        for name in old.providedServices {
            guard offered.contains(name) else {
                add(.incompatible, name, "no longer provided", "service \(name)")
                continue
            }
            if let expected = old.contract.service(name), let offered = new.contract.service(name) {
                compare(expected, offered, prefix: "\(expected.protocolName).")
            } else {
                let lacking = [(old, files.consumer), (new, files.provider)].filter {
                    $0.0.contract.service(name) == nil
                }
                let reasons = lacking.map { "\($0.1) has no note about it" }
                add(.notCompared, name, "not compared: \(reasons.joined(separator: ", "))")
            }
        }
        for name in offered where !old.providedServices.contains(name) {
            add(.compatible, name, "new", nil, "service \(name)")
        }
    }

    /// Models that nothing led to, as errors and what travels in untyped payloads: where they are used is not
    /// known, so they are compared in both directions; errors only go to the consumer. Those of services that the
    /// component uses are not what it offers.
    mutating func compareUnreachedModels(_ old: Manifest) {
        compareModels()
        let provided = old.providedServices
        var used = ContractComparer(consumer, consumer)
        for service in consumer.services where !provided.contains(service.name) {
            used.compare(service, service, prefix: "")
        }
        used.compareModels()
        // Errors first: what only they lead to goes to the consumer only, too.
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
        case .model(let other) where providerModels.models[other].name == model.name:
            enqueue(index, other, .toConsumer)
            if !model.isError { enqueue(index, other, .toProvider) }
        case .several: skip(model.name, .model(index), .several)
        default: add(.incompatible, model.name, "removed", "model \(model.name)")
        }
    }
}

extension Manifest {
    /// The services that its classes provide, each once, in their order.
    public var providedServices: [String] {
        var seen: Set<String> = []
        return classes.flatMap(\.provides).filter { seen.insert($0).inserted }
    }
}
