import ComponentHost
public import ComponentKit

/// A class that more than one component declares, in a listing.
@Model public struct ConflictRow: Sendable {
    /// The class.
    public var className: String
    /// The component that has it; nil when the host itself does.
    public var winner: String?
    /// The component whose class of that name cannot be called.
    public var loser: String

    init(_ conflict: Catalog.ClassConflict) {
        className = conflict.className
        winner = conflict.winner
        loser = conflict.loser
    }
}
