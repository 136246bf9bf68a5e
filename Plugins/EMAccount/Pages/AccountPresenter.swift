import ComponentKit
import EMAccountContract
import PageKit

/// Decides what the pages show of accounts, and does what people choose there.
///
/// The model is the service of this component; the views are functions of the states that this makes.
final class AccountPresenter: Sendable {
    private let accounts: any AccountService
    private let attempts = FormAttempts()

    init(_ accounts: any AccountService) { self.accounts = accounts }

    func currentUser() async throws -> User? { try await accounts.currentUser() }

    /// What the form for signing in shows.
    func signInForm(at place: PageContext) async throws -> SignInState {
        SignInState(
            user: try await accounts.currentUser()?.name,
            form: AccountFormState(
                submit: .call("signIn", ["place": place.payload]), attempt: attempts.attempt(.signIn, at: place)))
    }

    /// What the form for signing up shows.
    func signUpForm(at place: PageContext) -> AccountFormState {
        AccountFormState(
            submit: .call("signUp", ["place": place.payload]), attempt: attempts.attempt(.signUp, at: place))
    }

    /// Signs a user in.
    ///
    /// - Parameter place: where the form is; nil if the caller is no form.
    /// - Returns: Whether the user is signed in now. If not, the form shows why.
    /// - Throws: ``AccountError``; one that a person can mend only if there is no form to show it.
    func signIn(name: String, password: Password, at place: PageContext?) async throws -> Bool {
        try await attempt(.signIn, at: place) {
            _ = try await accounts.signIn(name: name, password: password)
            attempts.forget()
        } refused: { error in
            // The name is not shown again: all readers of the page would see it, and people type passwords where names
            // belong.
            FormAttempt(message: .warning(error.description.sentence))
        }
    }

    /// Creates an account; see ``signIn(name:password:at:)``.
    func signUp(name: String, password: Password, at place: PageContext?) async throws -> Bool {
        try await attempt(.signUp, at: place) {
            let user = try await accounts.signUp(name: name, password: password)
            attempts.forget()
            guard let place else { return }
            let message = "The account of \(user.name) exists now. Sign in with its password."
            attempts.keep(FormAttempt(message: .success(message)), .signUp, at: place)
        } refused: { error in
            let field = if case .invalidPassword = error { "password" } else { "name" }
            // A name that cannot be one might be a password, or something that no page can show.
            let name = (try? AccountName(name))?.text
            return FormAttempt(name: name, message: .problem(field: field, error.description.sentence))
        }
    }

    /// Ends the session.
    func signOut() async throws {
        attempts.forget()
        try await accounts.signOut()
    }

    /// The last reader has left a page.
    func left(page: String) { attempts.forget(page: page) }

    private func attempt(
        _ form: AccountForm, at place: PageContext?, _ body: () async throws -> Void,
        refused: (AccountError) -> FormAttempt
    ) async throws -> Bool {
        do {
            try await body()
            return true
        } catch let error as AccountError {
            guard let place, error.isOfInput else { throw error }
            attempts.keep(refused(error), form, at: place)
            return false
        }
    }
}

extension AccountError {
    /// Whether another input can succeed, as opposed to a failure of the database.
    fileprivate var isOfInput: Bool {
        switch self {
        case .nameTaken, .wrongNameOrPassword, .tooManyAttempts, .invalidName, .invalidPassword: true
        case .storage: false
        }
    }
}

extension String {
    /// The words as a sentence of their own.
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
