import ComponentKit
import EMAccountContract
import NXStorage
import PageKit

/// What operators configure.
@Model
struct AccountOptions: Sendable {
    /// How many passwords are hashed at a time, each of which takes the memory of its cost; without it, the number of
    /// processors, at most four.
    var hashesAtATime: Int?
}

/// Accounts: users sign up with a name and a password; in each session, one user at a time is signed in. Signing in and
/// out gives the session a new id.
///
/// The accounts are stored in `accounts.sqlite` in the component's data directory. Each password is stored as an scrypt
/// hash with its own salt and cost. After failures, sign-in is slowed down for that name, even across restarts of the
/// host. A session in which the user has signed in before has failures of its own, so that no one else can lock its owner
/// out.
@Component(
    version: "1.0.0", layer: .weakBusiness,
    posts: [SignedIn.self, SignedOut.self, SessionRenewed.self, PageModuleChanged.self],
    configuration: AccountOptions.self)
struct EMAccount {
    private let storage: Storage
    let accounts: Accounts

    init(_ context: ComponentContext) throws {
        let options: AccountOptions = try context.configuration.value()
        if let limit = options.hashesAtATime, !(1...64).contains(limit) {
            throw LinkError(
                domain: "EMAccount", number: 1, message: "hashesAtATime: expected 1 to 64, found \(limit)")
        }
        storage = Storage("accounts.sqlite", migrations: AccountSchema.migrations) { try context.dataDirectory() }
        accounts = Accounts(
            AccountStore(storage), hasher: PasswordHasher(limit: options.hashesAtATime),
            renewSession: { [events = context.events] in await events.renewSession() })
    }

    /// Whoever is signed in stays so if another component renews the session.
    @On(.loads, .concurrent) func sessionRenewed(_ event: SessionRenewed) async throws {
        guard let former = Session.current, let next = Session.successor else { return }
        try await accounts.move(from: former, to: next)
    }

    func stop() { storage.close() }
}

/// Sign-up and sign-in, and the guard of routes that need a signed-in user.
@LinkClass("AccountLink", provides: (any AccountService).self)
final class AccountLink: AccountService {
    private let accounts: Accounts
    private let events: Events

    init(_ context: ComponentContext) throws {
        guard let component = context.component as? EMAccount else {
            throw LinkError(.stopped, message: "EMAccount has been stopped")
        }
        accounts = component.accounts
        events = context.events
    }

    func signUp(name: String, password: Password) async throws -> User {
        let user = try await accounts.signUp(name: name, password: password)
        events.postAccountModules()
        return user
    }

    func signIn(name: String, password: Password) async throws -> User {
        let user = try await accounts.signIn(name: name, password: password)
        postInEachSession { events in events.post(SignedIn(user: user)) }
        return user
    }

    func signOut() async throws {
        let user = try await accounts.signOut()
        postInEachSession { events in if let user { events.post(SignedOut(user: user)) } }
    }

    /// Posts in the session that the client has now, and tells the pages of the former one, which others may have open.
    private func postInEachSession(_ post: (Events) -> Void) {
        Session.with(Session.successor ?? .current) {
            post(events)
            events.postAccountModules()
        }
        if Session.successor != nil { events.postAccountModules() }
    }

    func currentUser() async throws -> User? { try await accounts.currentUser() }

    /// Refuses to open routes with the tag "signed-in" while no user is signed in.
    ///
    /// It does not open a sign-in first: that needs a password, which only the user knows and no URL may contain.
    @Intercepts(priority: 100, tags: ["signed-in"])
    func requireSignIn(request: RouteRequest) async throws -> RouteDecision {
        guard try await accounts.currentUser() == nil else { return .pass }
        return .refuse(
            reason: "no user is signed in; call signIn of AccountLink with a name and a password, then try again")
    }
}
