import CDeclarations

/// Checks that an argument is a value of its enum, or a combination of values where these may be flags.
final class EnumerationCheck: Sendable {
    private let name: String
    let names: [String]
    private let values: Set<Int128>
    /// Whether values may be combined.
    private let isCombined: Bool

    /// How many names messages have.
    private static let maximumNames = 6
    /// So many values without a gap are numbered and not flags. Fewer can be both, as in `{ NONE, READ, WRITE }`.
    private static let numberedCount = 4

    init(_ enumeration: CEnumeration) {
        name = enumeration.name
        names = enumeration.constants.map(\.name)
        values = Set(enumeration.constants.map(\.value))
        let span = (values.max() ?? 0) - (values.min() ?? 0) + 1
        isCombined = values.count < EnumerationCheck.numberedCount || Int128(values.count) != span
    }

    func allows(_ number: Int128) -> Bool {
        if values.contains(number) { return true }
        guard isCombined, number >= 0 else { return false }
        let flags = values.lazy.filter { $0 > 0 && $0 & number == $0 }
        return flags.reduce(0, |) == number
    }

    /// What is allowed, for messages.
    var expectation: String {
        let listed = names.prefix(EnumerationCheck.maximumNames).joined(separator: ", ")
        let list = names.count > EnumerationCheck.maximumNames ? "\(listed), …" : listed
        return "a value of \(name)\(isCombined ? " or a combination of them" : "") (\(list))"
    }
}
