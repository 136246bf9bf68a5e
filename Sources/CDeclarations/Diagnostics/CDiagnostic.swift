/// Something wrong in the text of declarations.
package struct CDiagnostic: Error, Sendable, Hashable, CustomStringConvertible {
    package let place: CPlace
    /// A sentence for people: what was expected and what was there.
    package let message: String
    /// The line, cut to what fits, with nothing in it that could move a terminal's cursor.
    package let excerpt: String
    /// How many characters stand before the caret.
    package let caretOffset: Int

    /// As compilers write it: place and message, the line, and the caret below it.
    package var description: String {
        "\(place): \(message)\n    \(excerpt)\n    \(String(repeating: " ", count: caretOffset))^"
    }
}
