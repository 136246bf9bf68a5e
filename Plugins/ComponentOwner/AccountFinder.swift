import ComponentKit
import ComponentOwnerContract
import Dispatch
import EMAccountContract

/// Finds out who is signed in, from whoever provides the account service.
final class AccountFinder: Sendable {
    private let link: Link
    /// The client found last.
    private let known = Lock<AccountServiceClient?>(nil)
    /// Finding may load the provider, which blocks. A serial queue, since concurrent ones take threads from Swift's pool.
    private let queue = DispatchQueue(label: "owner.find")

    init(_ link: Link) { self.link = link }

    /// The owner of what is asked for now.
    ///
    /// - Throws: ``OwnerError/account(message:)`` when there is an account service, but no answer of it: whoever is
    ///   signed in must not get the guest's data, nor the guest theirs.
    func owner() async throws -> Owner {
        do throws(LinkError) {
            return try await owner(asking: try await client())
        } catch  where AccountFinder.meansNobody(error) {
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
            guard let user = try await client.currentUser() else { return .guest(reason: "nobody is signed in") }
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

    /// Whether there is nobody who could have signed anybody in. A provider that is there, and cannot be loaded just
    /// now, may well have: whoever is signed in is in its database.
    private static func meansNobody(_ error: LinkError) -> Bool { error.code == .classNotFound }
}
