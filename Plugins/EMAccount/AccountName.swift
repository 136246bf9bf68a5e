import EMAccountContract
import Foundation

/// A name that a user can sign up with.
struct AccountName: Hashable, Sendable {
    static let longest = 64

    /// In normal form C, without spaces around it.
    let text: String
    /// Equal for names that count as the same: compatibility forms and case do not matter.
    let key: String

    /// - Throws: ``AccountError/invalidName(reason:)``.
    init(_ given: String) throws(AccountError) {
        // Do not process text that is far too long.
        guard given.utf8.count <= 4096 else { throw AccountName.tooLong }
        text = given.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        guard !text.isEmpty else { throw .invalidName(reason: "the name is empty; choose one of 1 to 64 characters") }
        guard text.unicodeScalars.count <= AccountName.longest else { throw AccountName.tooLong }
        guard !text.unicodeScalars.contains(where: \.isInvisible) else {
            throw .invalidName(reason: "the name has characters that cannot be seen; leave them out")
        }
        key =
            text.precomposedStringWithCompatibilityMapping.uppercased().lowercased()
            .precomposedStringWithCompatibilityMapping
    }

    private static let tooLong = AccountError.invalidName(reason: "the name is longer than 64 characters")
}

extension Unicode.Scalar {
    /// Control and formatting characters, private and unassigned ones, and line ends.
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        default: properties.isDefaultIgnorableCodePoint
        }
    }
}
