public import ComponentKit
public import Foundation

/// Somebody with an account.
@Model public struct User: Hashable, Sendable {
    /// Names the account for ever, whatever becomes of its name.
    public var id: UUID
    /// As it was signed up.
    public var name: String
    /// When the account was made.
    public var createdAt: Timestamp
}
