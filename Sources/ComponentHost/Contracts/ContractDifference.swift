/// A place at which two contracts differ, or cannot be compared.
public struct ContractDifference: Hashable, Sendable {
    /// What a difference means for a consumer that was compiled against the one and meets the other. From the
    /// worst.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// Calls would fail, or be misunderstood.
        case incompatible
        /// There is no note to compare with, on one side at least.
        case notCompared
        /// The consumer works as before.
        case compatible
    }

    /// As in "signIn.parameters.name" or "User.nick".
    public var path: String
    /// What happened there, as in "removed" or "renamed?".
    public var change: String
    /// What the consumer was compiled against, without the names of the place but the last; nil where it has nothing.
    public var expected: String?
    /// What the provider has; nil where it has nothing.
    public var offered: String?
    /// What it means.
    public var severity: Severity
}

extension ContractDifference: CustomStringConvertible {
    /// A small diff: the place with what happened, then `-` what was expected, `+` what is there.
    ///
    ///     signIn.parameters.name: another type
    ///     - name: String
    ///     + name: Int
    public var description: String {
        ["\(path): \(change)", expected.map { "- \($0)" }, offered.map { "+ \($0)" }].compactMap(\.self)
            .joined(separator: "\n")
    }

    /// The same on one line, for tables.
    public var line: String {
        switch (expected, offered) {
        case (let expected?, let offered?): "\(path): \(change) (\(expected) / \(offered))"
        case (let expected?, nil): "\(path): \(change) (\(expected))"
        case (nil, let offered?): "\(path): \(change) (\(offered))"
        case (nil, nil): "\(path): \(change)"
        }
    }
}
