import ComponentKit
import EMAccountContract
import PageKit

/// What pages show of accounts, and the page about the account: all as it is in the session of the page.
@LinkClass(provides: (any PageSource).self)
final class AccountPages: PageSource {
    private let presenter: AccountPresenter
    private let resources: Resources

    init(_ context: ComponentContext) throws {
        presenter = AccountPresenter(try AccountLink(context))
        resources = context.resources
    }

    func pages() throws -> [PageFile] { try PageFile.all(in: resources) }

    // MARK: - Modules

    /// Who is signed in, or an invitation.
    @PageModule("account.card")
    func card(_ context: PageContext) async throws -> some View {
        AccountViews.card(try await presenter.currentUser(), on: context.page)
    }

    /// A form for signing in.
    @PageModule("account.signIn")
    func signInForm(_ context: PageContext) async throws -> some View {
        AccountViews.signIn(try await presenter.currentUser(), from: nil)
    }

    /// A form for a new account.
    @PageModule("account.signUp")
    func signUpForm(_ context: PageContext) -> some View { AccountViews.signUp(from: nil) }

    /// The forms for signing in and for a new account, beside each other.
    @PageModule("account.entry")
    func entry(_ context: PageContext, data: EntryValues) async throws -> some View {
        AccountViews.entry(try await presenter.currentUser(), from: data.from)
    }

    /// A greeting, and the way to sign in or out, for the top of any page.
    @PageModule("account.greeting")
    func greeting(_ context: PageContext) async throws -> some View {
        // It is on pages of others, which stay usable without the accounts.
        do {
            return AccountViews.greeting(try await presenter.currentUser(), on: context.page).node
        } catch is AccountError {
            return Text("The accounts cannot be read now.", style: .warning).node
        }
    }

    /// Whether a user is signed in.
    @PageModule("account.signedIn")
    func isSignedIn(_ context: PageContext) async throws -> Bool { try await presenter.currentUser() != nil }

    // MARK: - What people choose

    /// Signs a user in, in the session of the call, and leads back to where the person came from.
    @Selector func signIn(name: String, password: Password, from: String?) async throws -> ActionOutcome? {
        try await presenter.signIn(name: name, password: password)
        return from.map { ActionOutcome(page: $0) }
    }

    /// Creates an account, and signs it in as `signIn` does. An error says which field cannot be taken.
    @Selector func signUp(name: String, password: Password, from: String?) async throws -> ActionOutcome? {
        try await presenter.signUp(name: name, password: password)
        return from.map { ActionOutcome(page: $0) }
    }

    /// Signs the user out in the session of the call.
    @Selector func signOut() async throws { try await presenter.signOut() }
}

/// Where a person who signs in came from: the values of the page `sign-in`.
@Model
struct EntryValues: Sendable {
    /// The id of the page that is shown after the sign-in; nil to stay.
    var from: String?
}
