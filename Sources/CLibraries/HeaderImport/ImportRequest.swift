// The input and the result of an import.

/// A request to import headers.
package struct ImportRequest: Sendable {
    /// The headers: paths of files, or names that `#include <…>` finds.
    package var headers: [String]
    /// The directories for `-I`.
    package var directories: [String] = []
    /// The macro definitions for `-D`.
    package var definitions: [String] = []
    /// Further options for the preprocessor, such as those of a package.
    package var options: [String] = []
    /// The patterns that select functions and constants by name; empty to import all.
    package var patterns: [NamePattern] = []
    /// A library that may have the functions.
    package struct Library: Sendable {
        /// The name for the description, and for messages.
        package var name: String
        /// The symbols that it exports; nil if they are unknown.
        package var symbols: Set<String>?

        package init(name: String, symbols: Set<String>?) {
            self.name = name
            self.symbols = symbols
        }
    }

    /// The libraries to choose from. The functions are imported from the first one that has any of them.
    package var libraries: [Library]

    /// - Parameter libraries: At least one.
    package init(headers: [String], libraries: [Library]) {
        self.headers = headers
        self.libraries = libraries
    }
}

/// A pattern for `--only`: a name in which `*` matches any characters and `?` matches one.
package struct NamePattern: Sendable {
    private let pattern: [UInt8]

    package init(_ text: String) { pattern = Array(text.utf8) }

    /// Returns whether the whole name matches the pattern.
    package func matches(_ name: String) -> Bool {
        let name = Array(name.utf8)
        var place = 0
        var index = 0
        // The position of the last star in the pattern, and the end of the characters that it matches so far.
        var star: (place: Int, index: Int)?
        while index < name.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place, index)
                place += 1
            } else if place < pattern.count, pattern[place] == UInt8(ascii: "?") || pattern[place] == name[index] {
                place += 1
                index += 1
            } else if let last = star {
                star = (last.place, last.index + 1)
                place = last.place + 1
                index = last.index + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

/// The declarations imported from headers.
package struct ImportedHeader: Sendable {
    /// A declaration that was left out or made opaque, with the reason.
    package struct Omission: Sendable, Hashable {
        package enum Kind: String, Sendable, CaseIterable {
            case function, variable, macro, type
        }

        package let kind: Kind
        package let name: String
        package let reason: String
    }

    /// The constants, types and functions in an order that is valid in C, each as a `#define` or with its semicolon.
    package let declarations: [String]
    /// The names of the declared functions.
    package let functions: [String]
    /// The name of the library from which they are imported.
    package let library: String
    /// The number of constants from enums and macros.
    package let constantCount: Int
    /// What was left out: functions that can't be called, then variables, then macros without a value.
    package let omissions: [Omission]
    /// The types that are declared only by name.
    package let opaque: [Omission]
}

/// An error that prevents the import of headers.
package struct ImportError: Error, Sendable {
    /// A human-readable message.
    package let message: String

    package init(_ message: String) { self.message = message }
}
