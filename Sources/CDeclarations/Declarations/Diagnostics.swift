// Errors in a text, with their positions, and the reasons why something that was understood cannot be used.

/// A position in the text of declarations.
package struct CPlace: Sendable, Hashable, CustomStringConvertible {
    /// What the source calls itself, or what a line marker (`# 12 "zlib.h"`) named.
    package let source: String
    /// From 1.
    package let line: Int
    /// In characters, from 1.
    package let column: Int

    package init(source: String, line: Int, column: Int) {
        self.source = source
        self.line = line
        self.column = column
    }

    package var description: String { "\(source):\(line):\(column)" }
}

/// An error in the text of declarations.
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

/// Why something that was understood can't be used: a function not called, a value not passed.
package struct CObstacle: Error, Sendable, Hashable, CustomStringConvertible {
    /// A clause for people: "struct flags has the bit-field 'a'".
    package let reason: String

    package init(_ reason: String) { self.reason = reason }

    package var description: String { reason }
}
