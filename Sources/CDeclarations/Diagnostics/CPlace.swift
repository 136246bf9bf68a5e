/// Where something stands in the text of declarations.
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
