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
    mutating func compareModels() {
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
