import SystemSupport

/// A dependency that breaks a rule, or something that could not be checked.
package struct LayerFinding: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A lower layer uses a higher one.
        case upward
        /// A component or contract uses a component.
        case sideways
        /// A component or contract uses third-party code.
        case thirdParty
        /// An import of a module that the manifest does not state as a dependency of the target.
        case undeclared
        /// An entry in `.layers.json` without effect.
        case needless
        /// A file that could not be read.
        case unread
    }

    package let kind: Kind
    package let path: String
    package let position: SourcePosition
    /// The target that has the dependency; nil if the finding is about no target.
    package let target: String?
    /// The module, target or product that it uses.
    package let dependency: String?
    package let message: String
    /// A line about the origin of the dependency's layer, if a place in a file decides it.
    package var note: String?

    /// The line for people and editors.
    package var line: String { "\(path.escaped):\(position.line):\(position.column): warning: \(message)" }

    /// Returns a note at a place.
    static func note(_ text: String, at place: SourcePlace) -> String {
        "\(place.path.escaped):\(place.position.line):\(place.position.column): note: \(text)"
    }
}
