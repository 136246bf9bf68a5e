/// A range of versions of a component: one or more conditions, separated by spaces, all of which must hold.
///
/// | condition | holds for |
/// |---|---|
/// | `>=1.2.0`, `>1.2.0`, `<=1.2.0`, `<1.2.0` | versions that compare this way |
/// | `=1.2.0` | only this version |
/// | `1.2.0` | the same as `>=1.2.0 <2.0.0`: all versions before the next major version |
///
/// A prerelease is accepted only if a condition names a prerelease with the same three numbers: `>=1.0.0 <2.0.0` does
/// not accept `2.0.0-beta`, but `>=2.0.0-alpha` does.
///
/// `TextRule.versionRange` has the text that errors show for other forms, and corrects them.
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

    /// Parses a range.
    ///
    /// - Parameter text: The conditions; the result is nil if there are none, or if one is not listed in the table
    ///   above.
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

    /// Returns whether `version` meets all conditions.
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
    /// The conditions with their operators, as in ">=1.2.0 <2.0.0".
    public var description: String {
        conditions.map { "\($0.comparison.rawValue)\($0.version)" }.joined(separator: " ")
    }
}
