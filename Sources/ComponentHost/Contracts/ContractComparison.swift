/// What a consumer was compiled against, held against what a provider has.
///
/// Values flow in a direction: parameters to the provider, results to the consumer, what a closure is called with
/// the other way round. What one side adds is fine where the other need not know of it.
public struct ContractComparison: Hashable, Sendable {
    /// Incompatible ones first, then what could not be compared, then what is fine; each kind in the order of the
    /// consumer's contract.
    public let differences: [ContractDifference]

    /// Whether nothing was found that a consumer would stumble over.
    public var isCompatible: Bool { differences.first?.severity != .incompatible }

    /// The differences of a severity.
    public func differences(_ severity: ContractDifference.Severity) -> [ContractDifference] {
        differences.filter { $0.severity == severity }
    }

    /// What is in the way, as a small diff of at most `limit` differences; empty when nothing is.
    public func diff(limit: Int = 8) -> String {
        let found = differences(.incompatible)
        let rest = found.count - limit
        return (found.prefix(limit).map(\.description) + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "\n")
    }

    /// The same on one line.
    public func line(limit: Int = 3) -> String {
        let found = differences(.incompatible)
        let rest = found.count - limit
        return (found.prefix(limit).map(\.line) + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "; ")
    }

    init(_ found: [ContractDifference]) {
        var seen: [ContractDifference] = []
        var index: [ContractDifference: Int] = [:]
        for difference in found {
            // Of one place that matters in both directions the worse one counts.
            var key = difference
            key.severity = .compatible
            key.change = ""
            guard let known = index[key] else {
                index[key] = seen.count
                seen.append(difference)
                continue
            }
            if difference.severity.rank < seen[known].severity.rank { seen[known] = difference }
        }
        differences = ContractDifference.Severity.allCases.flatMap { severity in
            seen.filter { $0.severity == severity }
        }
    }
}

extension ContractComparison {
    /// Whether a provider's service is what a consumer was compiled against.
    ///
    /// - Parameters:
    ///   - service: its name.
    ///   - consumer: what the consumer's file says.
    ///   - provider: what the provider's file says.
    /// - Returns: nil when one of them does not describe the service: there is nothing to compare.
    public init?(service: String, consumer: Contract, provider: Contract) {
        guard let expected = consumer.service(service), let offered = provider.service(service) else { return nil }
        var comparer = ContractComparer(consumer, provider)
        comparer.compare(expected, offered, prefix: "")
        self.init(comparer.finish())
    }

    /// Whether a component may take the place of another: everything that it offers, classes, services and models.
    ///
    /// - Parameters:
    ///   - old: what consumers were compiled against.
    ///   - new: what they would meet.
    public init(replacing old: Manifest, with new: Manifest) {
        var comparer = ContractComparer(
            old.contract, new.contract, files: ("the first file", "the second file"))
        comparer.compareClasses(old, new)
        comparer.compareProvidedServices(old, new)
        comparer.compareUnreachedModels(old)
        self.init(comparer.finish())
    }
}

extension ContractDifference.Severity {
    fileprivate var rank: Int {
        switch self {
        case .incompatible: 0
        case .notCompared: 1
        case .compatible: 2
        }
    }
}
