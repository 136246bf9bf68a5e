/// Versions as Semantic Versioning 2.0.0 has them, without build metadata: MAJOR.MINOR.PATCH and maybe -PRERELEASE.
enum SemanticVersion {
    /// Whether `text` is a version whose numbers fit 64 bits.
    static func isValid(_ text: String) -> Bool {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count == 3, numbers.allSatisfy(isNumber) else { return false }
        guard parts.count == 2 else { return true }
        return parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isIdentifier)
    }

    /// Decimal digits without a leading zero.
    private static func isNumber(_ text: Substring) -> Bool {
        Int64(text).map { String($0) == text && $0 >= 0 } ?? false
    }

    /// Letters, digits and hyphens; a number if it has digits only.
    private static func isIdentifier(_ text: Substring) -> Bool {
        guard !text.isEmpty, text.utf8.allSatisfy(isIdentifierByte) else { return false }
        return text.contains { !$0.isNumber } || isNumber(text)
    }

    private static func isIdentifierByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
