import ComponentKit
import ComponentOwnerContract
import Crypto
import EMAccountContract
import Foundation
import NXKit

/// Asks the provider of the account service for the signed-in user.
struct AccountFinder: Sendable {
    private let accounts: ServiceFinder<AccountServiceClient>

    init(_ link: Link) { accounts = ServiceFinder(link) }

    /// Returns the owner of the data for a request made now, in the session of the running call.
    ///
    /// - Throws: ``OwnerError/account(message:)`` if the account service exists but does not answer. A user must not
    ///   get the guest's data, nor the guest a user's.
    func owner() async throws -> Owner {
        do throws(LinkError) {
            return try await owner(asking: try await accounts.client())
        } catch  where AccountFinder.meansNoAccounts(error) {
            accounts.forget()
            return .guest(reason: "there is no account: \(error.message)", session: .current)
        } catch {
            accounts.forget()
            if error.code == .stopped || error.code == .cancelled { throw error }
            throw OwnerError.account(message: error.message)
        }
    }

    private func owner(asking client: AccountServiceClient) async throws(LinkError) -> Owner {
        do {
            guard let user = try await client.currentUser() else {
                return .guest(reason: "no user is signed in", session: .current)
            }
            return .user(user)
        } catch {
            throw LinkError(thrown: error)
        }
    }

    /// Whether no component provides accounts, so no user can be signed in. This excludes a provider that cannot be
    /// loaded at the moment: it may have a session in its database.
    private static func meansNoAccounts(_ error: LinkError) -> Bool { error.code == .classNotFound }
}

/// The owner of data.
enum Owner: Hashable, Sendable {
    case user(User)
    /// A guest, with the reason why no user is signed in. Each session has its own; nil is for calls without one, as of the
    /// command line.
    case guest(reason: String, session: Session?)

    /// The key under which the data is stored.
    var key: String {
        switch self {
        case .user(let user): user.id.uuidString
        case .guest(_, let session): Owner.guestKey(of: session)
        }
    }

    /// The key of the guest of a session. It shows nothing of the session's id: who reads the database cannot act there.
    static func guestKey(of session: Session?) -> String {
        guard let session else { return "guest" }
        return "guest " + Data(SHA256.hash(data: Data(session.id.utf8))).base64EncodedString()
    }

    /// The name of the guest.
    static let guestName = "Guest"

    var name: String { user?.name ?? Owner.guestName }

    /// The name of the account.
    var userID: UUID? { user?.id }

    var isGuest: Bool { user == nil }

    var user: User? {
        if case .user(let user) = self { user } else { nil }
    }

    var guestReason: String? {
        if case .guest(let reason, _) = self { reason } else { nil }
    }

    /// Whether the data is that of a guest who may never come back, so that it is kept for a while only.
    var isTemporary: Bool {
        if case .guest(_, _?) = self { true } else { false }
    }
}
