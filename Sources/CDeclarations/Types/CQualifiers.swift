/// The words that may stand before a type or behind a star.
package struct CQualifiers: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `const`.
    package static let const = CQualifiers(rawValue: 1)
    /// `volatile`.
    package static let volatile = CQualifiers(rawValue: 2)
    /// `restrict`, of a pointer.
    package static let restrict = CQualifiers(rawValue: 4)
    /// `_Nonnull`, of a pointer: a null pointer is forbidden. `__attribute__((nonnull))` and `[static n]` say the
    /// same of parameters.
    package static let nonnull = CQualifiers(rawValue: 8)
    /// `_Nullable`, of a pointer: a null pointer is allowed.
    package static let nullable = CQualifiers(rawValue: 16)

    /// Those that make another type of it; clang's notes about null do not.
    var typing: CQualifiers { intersection([.const, .volatile, .restrict]) }
}
