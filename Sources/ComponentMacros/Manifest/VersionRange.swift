/// Ranges of versions as hosts read them: conditions such as `>=1.0.0`, separated by spaces. A version alone stands for
/// everything up to the next major one.
///
/// ComponentHost reads them for good; this says only whether it will, and a test holds the two together.
enum VersionRange {
    private static let signs: Set<Substring> = ["", "<", "<=", "=", ">=", ">"]

    /// Whether `text` has at least one condition and nothing else.
    static func isValid(_ text: String) -> Bool {
        var rest = text[...].drop { $0 == " " }
        guard !rest.isEmpty else { return false }
        while !rest.isEmpty {
            let sign = rest.prefix { "<>=".contains($0) }
            let version = rest[sign.endIndex...].drop { $0 == " " }.prefix { $0 != " " }
            guard signs.contains(sign), SemanticVersion.isValid(String(version)) else { return false }
            rest = rest[version.endIndex...].drop { $0 == " " }
        }
        return true
    }
}
