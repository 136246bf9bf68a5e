/// What is to be imported.
package struct ImportRequest: Sendable {
    /// Files, or what `#include <…>` finds.
    package var headers: [String]
    /// For `-I`.
    package var directories: [String] = []
    /// For `-D`.
    package var definitions: [String] = []
    /// Functions and constants whose names are like one of these; all when there are none.
    package var patterns: [NamePattern] = []
    /// What the library exports; nil when nobody knows.
    package var symbols: Set<String>?
    /// The library, for messages.
    package var library: String

    package init(headers: [String], library: String) {
        self.headers = headers
        self.library = library
    }
}
