// What an import takes, and what it returns.

/// What is to be imported.
package struct ImportRequest: Sendable {
    /// Files, or what `#include <…>` finds.
    package var headers: [String]
    /// For `-I`.
    package var directories: [String] = []
    /// For `-D`.
    package var definitions: [String] = []
    /// Only functions and constants whose names match one of these; empty for all.
    package var patterns: [NamePattern] = []
    /// What the library exports; nil when that is unknown.
    package var symbols: Set<String>?
    /// The library, for messages.
    package var library: String

    package init(headers: [String], library: String) {
        self.headers = headers
        self.library = library
    }
}

/// What `--only` takes: a name, with `*` for any characters and `?` for one.
package struct NamePattern: Sendable {
    private let pattern: [UInt8]

    package init(_ text: String) { pattern = Array(text.utf8) }

    /// Whether all of a name is like the pattern.
    package func matches(_ name: String) -> Bool {
        let name = Array(name.utf8)
        var place = 0
        var index = 0
        // Where the last star stands, and how much of the name it has taken.
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

/// The declarations made from headers.
package struct ImportedHeader: Sendable {
    /// Something that is missing, with the reason.
    package struct Omission: Sendable, Hashable {
        package let name: String
        package let reason: String
    }

    /// Types, constants and functions, each with its semicolon or as a `#define`, in an order that C takes.
    package let declarations: [String]
    /// The names of the functions in it.
    package let functions: [String]
    /// How many constants there are, of enums and macros.
    package let constantCount: Int
    /// Functions that can't be called.
    package let omissions: [Omission]
    /// Structs of which only the names are known.
    package let opaque: [Omission]
}

/// Why headers could not be imported at all.
package struct ImportError: Error, Sendable {
    /// What was expected, what was found, and what to do.
    package let message: String

    package init(_ message: String) { self.message = message }
}
