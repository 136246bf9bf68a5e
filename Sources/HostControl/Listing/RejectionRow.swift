import ComponentHost
public import ComponentKit

/// A file or directory that is not used, in a listing.
@Model public struct RejectionRow: Sendable {
    /// Of a file absolute, of a directory as it was given.
    public var path: String
    /// The kind of reason, as in "truncated".
    public var code: String
    /// Why, for people.
    public var reason: String

    init(_ rejection: Catalog.Rejection) {
        path = rejection.path
        code = "\(rejection.code)"
        reason = rejection.reason
    }
}
