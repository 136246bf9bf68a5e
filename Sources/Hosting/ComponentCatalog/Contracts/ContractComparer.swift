import ComponentKit
import SystemSupport

/// Finds the differences between the contract that a consumer was compiled against and the one that a provider has.
///
/// Models are compared from a queue, each pair once per direction, because models may contain themselves.
struct ContractComparer {
    /// The direction in which values travel.
    enum Flow: Hashable {
        case toProvider
        case toConsumer

        var reversed: Flow { self == .toProvider ? .toConsumer : .toProvider }
    }

    /// The scopes in which the two sides wrote the compared types.
    struct Scopes {
        var consumer: ModelPool.Scope
        var provider: ModelPool.Scope
    }

    private struct Pair: Hashable {
        var consumer: Int
        var provider: Int
        var flow: Flow
    }

    let consumer: Contract
    let provider: Contract
    /// The names of the two sides in messages.
    let files: (consumer: String, provider: String)
    let consumerModels: ModelPool
    let providerModels: ModelPool
    /// The consumer's models that were compared or reported.
    private(set) var reached: Set<Int> = []
    private var differences: [ContractDifference] = []
    private var queue: [Pair] = []
    private var queued: Set<Pair> = []
    private var writtenTypes: [ExactText: WrittenType] = [:]
    /// The number of bytes of model text that may still be compared.
    private var textLeft = ContractComparer.maximumTextSize
    private var isCutOff = false

    /// Hostile contracts can pair each model of one side with each of the other. The limits are above anything that a
    /// real file leads to.
    private static let maximumPairs = 16_384
    private static let maximumTextSize = 32 << 20

    init(
        _ consumer: Contract, _ provider: Contract,
        files: (consumer: String, provider: String) = ("the consumer's file", "the provider's file")
    ) {
        self.files = files
        self.consumer = consumer
        self.provider = provider
        consumerModels = ModelPool(consumer.models)
        providerModels = ModelPool(provider.models)
    }

    mutating func add(
        _ severity: ContractDifference.Severity, at path: String, change: String, expected: String? = nil,
        offered: String? = nil
    ) {
        differences.append(
            ContractDifference(
                path: path, change: change, expected: expected, offered: offered, severity: severity))
    }

    /// Queues a pair of models for comparison, unless it has been queued before.
    mutating func enqueue(_ consumer: Int, _ provider: Int, flow: Flow) {
        reached.insert(consumer)
        let pair = Pair(consumer: consumer, provider: provider, flow: flow)
        guard !queued.contains(pair) else { return }
        guard queued.count < ContractComparer.maximumPairs else { return cutOff() }
        queued.insert(pair)
        queue.append(pair)
    }

    private mutating func cutOff() {
        guard !isCutOff else { return }
        isCutOff = true
        add(
            .notCompared, at: "models",
            change:
                "not all compared: there are more than \(ContractComparer.maximumPairs) pairs of models, or more than "
                + "32 MB of text")
    }

    /// Returns the type written for a key. Each text is parsed only once.
    mutating func written(_ text: String) -> WrittenType {
        if let known = writtenTypes[ExactText(text)] { return known }
        let type = WrittenType(text)
        writtenTypes[ExactText(text)] = type
        return type
    }

    /// Reports a type that at least one side does not describe unambiguously.
    mutating func skip(_ path: String, consumer: ModelPool.Found, provider: ModelPool.Found) {
        if case .model(let index) = consumer { reached.insert(index) }
        let reasons = [(consumer, files.consumer), (provider, files.provider)].compactMap { found, file in
            switch found {
            case .model: nil as String?
            case .nothing: "\(file) has no note about it"
            case .several: "\(file) has notes about several types with this name"
            }
        }
        add(.notCompared, at: path, change: "not compared: \(reasons.joined(separator: ", "))")
    }

    /// Compares the queued models, and the models that they lead to.
    private mutating func compareModels() {
        var next = 0
        while next < queue.count {
            let pair = queue[next]
            next += 1
            textLeft -= consumerModels.textSizes[pair.consumer] + providerModels.textSizes[pair.provider]
            guard textLeft >= 0 else {
                cutOff()
                break
            }
            compare(consumerModels.models[pair.consumer], providerModels.models[pair.provider], flow: pair.flow)
        }
        queue = []
    }

    /// Compares the models that are still queued.
    ///
    /// - Returns: All differences, in the order in which they were found.
    mutating func finish() -> [ContractDifference] {
        compareModels()
        return differences
    }
}

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

    /// Compares a service that both sides describe.
    ///
    /// - Parameter prefix: The prefix of every path that is reported.
    mutating func compare(_ expected: ServiceDeclaration, _ offered: ServiceDeclaration, prefix: String) {
        let scopes = Scopes(
            consumer: ModelPool.Scope(module: expected.module, owner: expected.protocolName.owner),
            provider: ModelPool.Scope(module: offered.module, owner: offered.protocolName.owner))
        compare(expected.selectors, offered.selectors, in: scopes, prefix: prefix)
        switch (expected.arguments, offered.arguments) {
        case (nil, nil): break
        case (let text?, nil):
            add(.incompatible, at: "\(prefix)arguments", change: "removed", expected: "arguments: \(text)")
        case (nil, let text?):
            add(.incompatible, at: "\(prefix)arguments", change: "new and required", offered: "arguments: \(text)")
        case (let expected?, let offered?):
            let verdict = compare(TypeExpression(expected), TypeExpression(offered), flow: .toProvider, in: scopes)
            report(
                verdict, at: "\(prefix)arguments", expected: "arguments: \(expected)", offered: "arguments: \(offered)")
        }
    }

    mutating func compare(
        _ expected: [SelectorDeclaration], _ offered: [SelectorDeclaration], in scopes: Scopes, prefix: String
    ) {
        let names = Names(expected, offered, name: \.reference.description) { $0.likeness }
        for selector in expected {
            let path = "\(prefix)\(selector.name)"
            if let other = names.same(selector) {
                compare(selector, other, in: scopes, path: path)
            } else if let other = names.renamed(selector) {
                add(.incompatible, at: path, change: "renamed?", expected: selector.signature, offered: other.signature)
            } else {
                add(.incompatible, at: path, change: "removed", expected: selector.signature)
            }
        }
        for selector in names.added {
            add(.compatible, at: "\(prefix)\(selector.name)", change: "new", offered: selector.signature)
        }
    }

    private mutating func compare(
        _ expected: SelectorDeclaration, _ offered: SelectorDeclaration, in scopes: Scopes, path: String
    ) {
        compare(expected.parameters, offered.parameters, flow: .toProvider, in: scopes, path: "\(path).parameters")
        let types = (expected.resultType, offered.resultType)
        switch types {
        case (.void, .void): break
        case (.void, _): add(.compatible, at: "\(path).result", change: "new", offered: offered.resultText)
        case (_, .void): add(.incompatible, at: "\(path).result", change: "removed", expected: expected.resultText)
        default:
            let verdict = compare(types.0, types.1, flow: .toConsumer, in: scopes)
            report(verdict, at: "\(path).result", expected: expected.resultText, offered: offered.resultText)
        }
    }
}

extension Contract {
    fileprivate var servicesByName: [String: ServiceDeclaration] {
        Dictionary(firstOf: services.map { ($0.name, $0) })
    }
}

extension Manifest {
    /// The services that the component's classes provide, without duplicates, in the order of the manifest.
    package var providedServices: [String] {
        var seen: Set<String> = []
        return classes.flatMap(\.provides).filter { seen.insert($0).inserted }
    }
}

extension SelectorDeclaration {
    /// The signature in the form `class signIn(name: String) -> Session?`.
    var signature: String {
        "\(kind == .class ? "class " : "")\(name)\(parameters.text)\(result.map { " -> \($0)" } ?? "")"
    }

    fileprivate var resultType: TypeExpression { result.map { TypeExpression($0) } ?? .void }
    fileprivate var resultText: String { "result: \(result ?? "none")" }

    /// A value that is equal for two selectors if one may be the other under a new name.
    fileprivate var likeness: Likeness { Likeness(kind: kind, parameters: parameters, result: resultType) }

    fileprivate struct Likeness: Hashable {
        let kind: SelectorKind
        let parameters: [Parameter]
        let result: TypeExpression
    }
}

extension String {
    /// The name of the enclosing type; empty when there is none.
    var owner: String { lastIndex(of: ".").map { String(self[..<$0]) } ?? "" }
}
