import ComponentKit
import ComponentOwnerContract
import Dispatch
import EMAccountContract
import Foundation

/// Asks the provider of the account service for the signed-in user.
final class AccountFinder: Sendable {
    private let link: Link
    /// The last client found.
    private let known = Lock<AccountServiceClient?>(nil)
    /// Finding the client may load the provider, which blocks. The queue is serial because concurrent queues take
    /// threads from Swift's cooperative thread pool.
    private let queue = DispatchQueue(label: "owner.find")

    init(_ link: Link) { self.link = link }

    /// Returns the owner of the data for a request made now.
    ///
    /// - Throws: ``OwnerError/account(message:)`` if the account service exists but does not answer. A user must not
    ///   get the guest's data, nor the guest a user's.
    func owner() async throws -> Owner {
        do throws(LinkError) {
            return try await owner(asking: try await client())
        } catch  where AccountFinder.meansNoAccounts(error) {
            known.withLock { $0 = nil }
            return .guest(reason: "there is no account: \(error.message)")
        } catch {
            known.withLock { $0 = nil }
            if error.code == .stopped || error.code == .cancelled { throw error }
            throw OwnerError.account(message: error.message)
        }
    }

    private func owner(asking client: AccountServiceClient) async throws(LinkError) -> Owner {
        do {
            guard let user = try await client.currentUser() else { return .guest(reason: "no user is signed in") }
            return .user(user)
        } catch {
            throw LinkError(thrown: error)
        }
    }

    private func client() async throws(LinkError) -> AccountServiceClient {
        if let client = known.withLock({ $0 }) { return client }
        let found = await awaitResume { resume in
            queue.async {
                resume(Result { () throws(LinkError) in try self.link.service(AccountServiceClient.self) })
            }
        }
        let client = try found.get()
        known.withLock { $0 = client }
        return client
    }

    /// Whether no component provides accounts, so no user can be signed in. This excludes a provider that cannot be
    /// loaded at the moment: it may have a session in its database.
    private static func meansNoAccounts(_ error: LinkError) -> Bool { error.code == .classNotFound }
}

/// The owner of data.
enum Owner: Hashable, Sendable {
    case user(User)
    /// The guest, with the reason why no user is signed in.
    case guest(reason: String)

    /// The key under which the data is stored.
    var key: String {
        switch self {
        case .user(let user): user.id.uuidString
        case .guest: "guest"
        }
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
        if case .guest(let reason) = self { reason } else { nil }
    }
}
