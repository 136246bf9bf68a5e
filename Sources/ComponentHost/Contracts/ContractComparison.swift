/// What a consumer was compiled against, held against what a provider has.
///
/// Values flow in a direction: parameters to the provider, results to the consumer, what a closure is called with
/// the other way round. What one side adds is fine where the other need not know of it.
package struct ContractComparison: Hashable, Sendable {
    /// Incompatible ones first, then what could not be compared, then what is fine; each kind in the order of the
    /// consumer's contract.
    package let differences: [ContractDifference]

    /// Whether nothing was found that a consumer would stumble over.
    package var isCompatible: Bool { differences.first?.severity != .incompatible }

    /// The differences of a severity.
    package func differences(_ severity: ContractDifference.Severity) -> [ContractDifference] {
        differences.filter { $0.severity == severity }
    }

    /// What is in the way, as a small diff of at most `limit` differences; empty when nothing is.
    package func diff(limit: Int = 8) -> String {
        let found = differences(.incompatible)
        let rest = found.count - limit
        return (found.prefix(limit).map(\.description) + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "\n")
    }

    /// The same on one line.
    package func line(limit: Int = 3) -> String {
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
    package init?(service: String, consumer: Contract, provider: Contract) {
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
    package init(replacing old: Manifest, with new: Manifest) {
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

/// A place at which two contracts differ, or cannot be compared.
package struct ContractDifference: Hashable, Sendable {
    /// What a difference means for a consumer that was compiled against the one and meets the other. From the
    /// worst.
    package enum Severity: String, Hashable, Sendable, CaseIterable {
        /// Calls would fail, or be misunderstood.
        case incompatible
        /// There is no note to compare with, on one side at least.
        case notCompared
        /// The consumer works as before.
        case compatible
    }

    /// As in "signIn.parameters.name" or "User.nick".
    package var path: String
    /// What happened there, as in "removed" or "renamed?".
    package var change: String
    /// What the consumer was compiled against, without the names of the place but the last; nil where it has nothing.
    package var expected: String?
    /// What the provider has; nil where it has nothing.
    package var offered: String?
    /// What it means.
    package var severity: Severity
}

extension ContractDifference: CustomStringConvertible {
    /// A small diff: the place with what happened, then `-` what was expected, `+` what is there.
    ///
    ///     signIn.parameters.name: another type
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
