import EMAccountContract
import Foundation

/// Whose data it is.
enum Owner: Hashable, Sendable {
    case user(User)
    /// With the reason why it is nobody else's.
    case guest(reason: String)

    /// What the data is kept under.
    var key: String {
        switch self {
        case .user(let user): user.id.uuidString
        case .guest: "guest"
        }
    }

    var name: String { user?.name ?? "Guest" }

    /// Of the account.
    var userID: UUID? { user?.id }

    var isGuest: Bool { user == nil }

    var user: User? {
        if case .user(let user) = self { user } else { nil }
    }

    var guestReason: String? {
        if case .guest(let reason) = self { reason } else { nil }
    }
}
