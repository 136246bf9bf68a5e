/// Why a header could not be imported at all.
package struct ImportError: Error, Sendable {
    /// What was expected, what was there, and what to do.
    package let message: String

    package init(_ message: String) { self.message = message }
}
