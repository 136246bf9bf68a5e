/// Why a component's database could not be read or written. Nothing of what was to be written is there then, and all
/// of what was written before.
package struct StorageError: Error, Hashable, Sendable {
    /// The kinds of failures. Contracts have the same names.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The host has no directory for it.
        case unavailable
        /// The file cannot be made, opened or written to.
        case unwritable
        /// The file is damaged, or no database.
        case corrupt
        /// A newer version of the component has written it.
        case newerSchema
        /// Another process has locked it.
        case locked
        /// There is no room left on the disk.
        case full
        /// Anything else, in SQLite's words.
        case other
    }

    package let kind: Kind
    /// What was expected, what was there, what to do; without anything that was stored.
    package let message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

extension StorageError: CustomStringConvertible {
    package var description: String { message }
}
