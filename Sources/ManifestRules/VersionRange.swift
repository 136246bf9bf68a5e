/// Which versions of a component will do: one or more conditions, separated by spaces, which all have to
/// hold.
///
/// | condition | holds for |
/// |---|---|
/// | `>=1.2.0`, `>1.2.0`, `<=1.2.0`, `<1.2.0` | versions in that order |
/// | `=1.2.0` | this version alone |
/// | `1.2.0` | `>=1.2.0 <2.0.0`: everything up to the next major version |
///
/// A prerelease is taken only where a condition names a prerelease of the same three numbers:
/// `>=1.0.0 <2.0.0` does not hold for `2.0.0-beta`, `>=2.0.0-alpha` does.
public struct VersionRange: Hashable, Sendable {
    enum Comparison: String {
        case less = "<"
        case lessOrEqual = "<="
        case equal = "="
        case greaterOrEqual = ">="
        case greater = ">"
    }

    struct Condition: Hashable {
        var comparison: Comparison
        var version: Version
    }

    let conditions: [Condition]

    /// Every release.
    public static let any = VersionRange(conditions: [
        Condition(comparison: .greaterOrEqual, version: Version(0, 0, 0))
    ])

    private init(conditions: [Condition]) { self.conditions = conditions }

    /// - Parameter text: the conditions; nil when there is none, or one is none of the table above.
    public init?(_ text: String) {
        var conditions: [Condition] = []
        var rest = text.utf8[...]
        while true {
            rest = rest.drop { $0 == UInt8(ascii: " ") }
            if rest.isEmpty { break }
            let sign = rest.prefix { "<>=".utf8.contains($0) }
            rest = rest[sign.endIndex...].drop { $0 == UInt8(ascii: " ") }
            let word = rest.prefix { $0 != UInt8(ascii: " ") }
            rest = rest[word.endIndex...]
            guard let version = Version(String(word) ?? "") else { return nil }
            if sign.isEmpty {
                let (next, overflow) = version.major.addingReportingOverflow(1)
                if overflow { return nil }
                conditions.append(Condition(comparison: .greaterOrEqual, version: version))
                conditions.append(Condition(comparison: .less, version: Version(next, 0, 0)))
            } else {
                guard let comparison = Comparison(rawValue: String(sign) ?? "") else { return nil }
                conditions.append(Condition(comparison: comparison, version: version))
            }
        }
        if conditions.isEmpty { return nil }
        self.init(conditions: conditions)
    }

    /// Whether `version` meets all conditions.
    public func contains(_ version: Version) -> Bool {
        let isNamed =
            version.prerelease.isEmpty
            || conditions.contains { !$0.version.prerelease.isEmpty && $0.version.isSameRelease(as: version) }
        return isNamed && conditions.allSatisfy { $0.holds(for: version) }
    }
}

extension VersionRange.Condition {
    fileprivate func holds(for candidate: Version) -> Bool {
        switch comparison {
        case .less: candidate < version
        case .lessOrEqual: candidate <= version
        case .equal: candidate == version
        case .greaterOrEqual: candidate >= version
        case .greater: candidate > version
        }
    }
}

extension VersionRange: CustomStringConvertible {
    /// The conditions with their signs, as in ">=1.2.0 <2.0.0".
    public var description: String {
        conditions.map { "\($0.comparison.rawValue)\($0.version)" }.joined(separator: " ")
    }
}
