// Errors in a text, with their positions, and the reasons why a valid declaration can't be used.

/// A position in a text of declarations.
package struct CPlace: Sendable, Hashable, CustomStringConvertible {
    /// The name of the source, or the file that the preceding line marker (`# 12 "zlib.h"`) names.
    package let source: String
    /// The line, starting at 1.
    package let line: Int
    /// The column in characters, starting at 1.
    package let column: Int

    package init(source: String, line: Int, column: Int) {
        self.source = source
        self.line = line
        self.column = column
    }

    package var description: String { "\(source):\(line):\(column)" }
}

/// An error in a text of declarations.
package struct CDiagnostic: Error, Sendable, Hashable, CustomStringConvertible {
    package let place: CPlace
    /// A human-readable message that says what was expected and what was found.
    package let message: String
    /// The line with the error, shortened if necessary, without characters that could move a terminal's cursor.
    package let excerpt: String
    /// The number of characters before the caret.
    package let caretOffset: Int

    /// The error as a compiler prints it: position and message, the line, and a caret below it.
    package var description: String {
        "\(place): \(message)\n    \(excerpt)\n    \(String(repeating: " ", count: caretOffset))^"
    }
}

/// The reason why a valid declaration can't be used: why a function can't be called or a value can't be passed.
package struct CObstacle: Error, Sendable, Hashable, CustomStringConvertible {
    /// The names that lead from the declaration to what is wrong, as in "callback", "text"; "..." for the arguments of a
    /// variadic function. Empty for the declaration itself.
    package private(set) var path: [String]
    /// What is wrong there, as a human-readable clause, such as "struct flags has the bit-field 'a'".
    package let clause: String
    /// A name that was expected there, and that nothing has.
    package let missing: String?

    package init(_ clause: String, path: [String] = [], missing: String? = nil) {
        self.clause = clause
        self.path = path
        self.missing = missing
    }

    /// Returns the obstacle as that of what contains it.
    package func within(_ name: String) -> CObstacle {
        var obstacle = self
        obstacle.path.insert(name, at: 0)
        return obstacle
    }

    /// Runs `body`, and throws its obstacle as that of what contains it.
    package static func within<Value>(
        _ name: String, _ body: () throws(CObstacle) -> Value
    ) throws(CObstacle) -> Value {
        do throws(CObstacle) {
            return try body()
        } catch {
            throw error.within(name)
        }
    }

    /// The clause with the names before it. Clauses about the arguments of a variadic function name them on their own.
    package var reason: String { (path.filter { $0 != "..." } + [clause]).joined(separator: ": ") }

    package var description: String { reason }
}
