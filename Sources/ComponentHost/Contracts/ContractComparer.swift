/// Finds the differences between what a consumer was compiled against and what a provider has.
///
/// Models are compared in a queue, each pair once in a direction: they may contain themselves.
struct ContractComparer {
    /// Which way values go.
    enum Flow: Hashable {
        case toProvider
        case toConsumer

        var reversed: Flow { self == .toProvider ? .toConsumer : .toProvider }
    }

    /// Where the two sides wrote what is compared.
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
    /// What the two sides are called in messages.
    let files: (consumer: String, provider: String)
    let consumerModels: ModelPool
    let providerModels: ModelPool
    /// Models of the consumer that were compared or named.
    private(set) var reached: Set<Int> = []
    private var differences: [ContractDifference] = []
    private var queue: [Pair] = []
    private var queued: Set<Pair> = []
    private var writtenTypes: [String: WrittenType] = [:]
    /// How much more text of models is compared.
    private var textLeft = ContractComparer.maximumTextSize
    private var isCutOff = false

    /// Each model of one side may be compared with each of the other: more than a file of honest size leads to is not.
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
        _ severity: ContractDifference.Severity, _ path: String, _ change: String, _ expected: String? = nil,
        _ offered: String? = nil
    ) {
        differences.append(
            ContractDifference(
                path: path, change: change, expected: expected, offered: offered, severity: severity))
    }

    /// Has a pair of models compared later, once.
    mutating func enqueue(_ consumer: Int, _ provider: Int, _ flow: Flow) {
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
            .notCompared, "models",
            "not all compared: they lead to more than \(ContractComparer.maximumPairs) pairs of models, or to more text "
                + "than 32 MB")
    }

    /// What stands behind a key; read once, however often it is met.
    mutating func written(_ text: String) -> WrittenType {
        if let known = writtenTypes[text] { return known }
        let type = WrittenType(text)
        writtenTypes[text] = type
        return type
    }

    /// Names something that at least one side says nothing about.
    mutating func skip(_ path: String, _ consumer: ModelPool.Found, _ provider: ModelPool.Found) {
        if case .model(let index) = consumer { reached.insert(index) }
        let reasons = [(consumer, files.consumer), (provider, files.provider)].compactMap { found, file in
            switch found {
            case .model: nil as String?
            case .nothing: "\(file) has no note about it"
            case .several: "\(file) has notes about several of this name"
            }
        }
        add(.notCompared, path, "not compared: \(reasons.joined(separator: ", "))")
    }

    /// Compares the models that everything before led to.
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
            compare(consumerModels.models[pair.consumer], providerModels.models[pair.provider], pair.flow)
        }
        queue = []
    }

    /// Compares what is left.
    ///
    /// - Returns: all differences in the order of finding.
    mutating func finish() -> [ContractDifference] {
        compareModels()
        return differences
    }
}
