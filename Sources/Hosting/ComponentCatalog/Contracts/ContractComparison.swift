/// The result of comparing the contract that a consumer was compiled against with the one that a provider has.
///
/// Values travel in one direction: parameters to the provider, results to the consumer, and arguments of closures the
/// opposite way to the closure. A side may add anything that the other side need not know about.
package struct ContractComparison: Hashable, Sendable {
    /// The differences: incompatible ones first, then those that could not be compared, then compatible ones; within
    /// each severity in the order of the consumer's contract.
    package let differences: [ContractDifference]

    /// Whether no incompatible difference was found.
    package var isCompatible: Bool { differences.first?.severity != .incompatible }

    /// Returns the differences with this severity.
    package func differences(_ severity: ContractDifference.Severity) -> [ContractDifference] {
        differences.filter { $0.severity == severity }
    }

    /// Returns up to `limit` incompatible differences as a small diff; empty when there are none.
    package func diff(limit: Int = 8) -> String {
        let found = differences(.incompatible)
        let rest = found.count - limit
        return (found.prefix(limit).map(\.description) + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "\n")
    }

    /// Returns up to `limit` incompatible differences on one line; empty when there are none.
    package func line(limit: Int = 3) -> String {
        let found = differences(.incompatible)
        let rest = found.count - limit
        return (found.prefix(limit).map(\.line) + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "; ")
    }

    init(_ found: [ContractDifference]) {
        var seen: [ContractDifference] = []
        var index: [ContractDifference: Int] = [:]
        for difference in found {
            // A path may be compared in both directions. Keep the worse result.
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
    /// Compares a provider's service with the one that a consumer was compiled against.
    ///
    /// - Parameters:
    ///   - service: The name of the service.
    ///   - consumer: The contract in the consumer's file.
    ///   - provider: The contract in the provider's file.
    /// - Returns: nil when one of the contracts does not describe the service, so there is nothing to compare.
    package init?(service: String, consumer: Contract, provider: Contract) {
        guard let expected = consumer.service(service), let offered = provider.service(service) else { return nil }
        var comparer = ContractComparer(consumer, provider)
        comparer.compare(expected, offered, prefix: "")
        self.init(comparer.finish())
    }

    /// Compares everything that two components offer, to find whether one may replace the other: classes, services,
    /// models, routes and interceptors.
    ///
    /// - Parameters:
    ///   - old: The component that consumers were compiled against.
    ///   - new: The component that would replace it.
    package init(replacing old: Manifest, with new: Manifest) {
        var comparer = ContractComparer(
            old.contract, new.contract, files: ("the first file", "the second file"))
        comparer.compareClasses(old, new)
        comparer.compareProvidedServices(old, new)
        comparer.compareUnreachedModels(old)
        comparer.compareRoutes(old, new)
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

/// A difference between two contracts, or something that could not be compared.
package struct ContractDifference: Hashable, Sendable {
    /// The effect of a difference on a consumer that was compiled against one contract and meets the other; ordered
    /// from worst to best.
    package enum Severity: String, Hashable, Sendable, CaseIterable {
        /// Calls would fail or be misinterpreted.
        case incompatible
        /// At least one side has no note to compare.
        case notCompared
        /// The consumer is not affected.
        case compatible
    }

    /// Where the difference is, such as `signIn.parameters.name` or `User.nick`.
    package var path: String
    /// The kind of change, such as "removed" or "renamed?".
    package var change: String
    /// The declaration that the consumer was compiled against, with only the last name of the path; nil when the
    /// consumer has none.
    package var expected: String?
    /// The provider's declaration; nil when it has none.
    package var offered: String?
    /// The effect on the consumer.
    package var severity: Severity
}

extension ContractDifference: CustomStringConvertible {
    /// A small diff: the path and the change, then `-` and the expected declaration, `+` and the offered one.
    ///
    ///     signIn.parameters.name: different type
    ///     - name: String
    ///     + name: Int
    package var description: String {
        ["\(path): \(change)", expected.map { "- \($0)" }, offered.map { "+ \($0)" }].compactMap(\.self)
            .joined(separator: "\n")
    }

    /// The same on one line, for tables.
    package var line: String {
        switch (expected, offered) {
        case (let expected?, let offered?): "\(path): \(change) (\(expected) / \(offered))"
        case (let expected?, nil): "\(path): \(change) (\(expected))"
        case (nil, let offered?): "\(path): \(change) (\(offered))"
        case (nil, nil): "\(path): \(change)"
        }
    }
}
