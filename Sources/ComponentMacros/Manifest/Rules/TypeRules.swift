import SwiftParser

extension ManifestChecker {
    /// The Swift type below "type" when it is there: a name, or names joined by dots for one inside another.
    mutating func typeName(in object: JSONObject) -> String? {
        guard let type = text("type", in: object), let value = object["type"] else { return nil }
        guard Self.isTypeName(type) else {
            report(
                "\"type\" must be the name of a Swift type such as \"VideoLink\" or \"Video.Link\", found \(type.quoted)",
                at: value.start)
            return nil
        }
        return type
    }

    static func isTypeName(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { isIdentifier(String($0)) }
    }

    /// Whether Swift takes `text` as a name where it stands, keywords excluded.
    static func isIdentifier(_ text: String) -> Bool {
        text.isValidSwiftIdentifier(for: .variableName)
    }
}
