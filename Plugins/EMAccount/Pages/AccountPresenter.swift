import ComponentKit
import EMAccountContract
import PageKit

/// Decides what the pages show of accounts, and does what people choose there.
///
/// The model is the service of this component; the views are functions of what this returns. It keeps nothing of what
/// a person has filled in: the same form is shown to all readers of a page.
final class AccountPresenter: Sendable {
    private let accounts: any AccountService

    init(_ accounts: any AccountService) { self.accounts = accounts }

    func currentUser() async throws -> User? { try await accounts.currentUser() }

    /// Signs a user in, in the session of the call.
    ///
    /// - Throws: `PageError.actionFailed` with the reason as a sentence.
    func signIn(name: String, password: Password) async throws {
        do {
            _ = try await accounts.signIn(name: name, password: password)
        } catch let error as AccountError {
            throw PageError.actionFailed(message: error.description, forPeople: error.description.sentence)
        }
    }

    /// Creates an account, and signs its user in.
    ///
    /// - Throws: `PageError.invalidValue` for a name or a password that cannot be taken, otherwise ``AccountError``.
    func signUp(name: String, password: Password) async throws {
        do {
            _ = try await accounts.signUp(name: name, password: password)
        } catch let error as AccountError {
            guard let field = error.field else { throw error }
            throw PageError.invalidValue(field: field, reason: error.description.sentence)
        }
        try await signIn(name: name, password: password)
    }

    /// Signs the user out in the session of the call.
    func signOut() async throws { try await accounts.signOut() }
}

extension AccountError {
    /// The field of the form that another value can mend; nil if none can.
    fileprivate var field: String? {
        switch self {
        case .nameTaken, .invalidName: "name"
        case .invalidPassword: "password"
        case .wrongNameOrPassword, .tooManyAttempts, .storage: nil
        }
    }
}

extension String {
    /// The words as a sentence of their own.
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
