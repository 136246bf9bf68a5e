import ComponentKit
import EMAccountContract

/// Sign-up and sign-in.
@LinkClass("AccountLink", provides: (any AccountService).self)
final class AccountLink: AccountService {
    private let accounts: Accounts

    init(_ context: ComponentContext) throws {
        guard let component = context.component as? EMAccount else {
            throw LinkError(.stopped, message: "EMAccount has been stopped")
        }
        accounts = component.accounts
    }

    func signUp(name: String, password: Password) async throws -> User {
        try await accounts.signUp(name: name, password: password)
    }

    func signIn(name: String, password: Password) async throws -> User {
        try await accounts.signIn(name: name, password: password)
    }

    func signOut() async throws { try await accounts.signOut() }

    func currentUser() async throws -> User? { try await accounts.currentUser() }
}
