import ComponentOwnerContract
import Foundation

extension String {
    /// The text of a field that must be filled in, without spaces around it.
    ///
    /// - Parameter name: of the field, for the error.
    /// - Throws: ``OwnerError/invalid(field:reason:)``.
    func field(_ name: String) throws(OwnerError) -> String {
        guard let text = try optionalField(name) else {
            throw .invalid(field: name, reason: "the text is empty; fill it in")
        }
        return text
    }

    /// The text of a field that may be left empty, without spaces around it; nil where it is.
    func optionalField(_ name: String) throws(OwnerError) -> String? {
        let text = utf8.count <= 4096 ? trimmingCharacters(in: .whitespacesAndNewlines) : self
        guard text.utf8.count <= 4096, text.count <= 200 else {
            throw .invalid(field: name, reason: "the text is longer than 200 characters")
        }
        let isPrintable = text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
        guard isPrintable else {
            throw .invalid(field: name, reason: "the text has control characters; leave them out")
        }
        return text.isEmpty ? nil : text
    }
}
