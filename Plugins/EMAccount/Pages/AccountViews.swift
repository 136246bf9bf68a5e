import ComponentKit
import EMAccountContract
import PageKit

/// How accounts look. These functions know neither where the users come from, nor what an action does.
enum AccountViews {
    /// The page about the account, which this component brings along.
    private static let page = "account"

    /// A greeting with the way to sign in or out, which the page about the account has anyway. It has room in the header
    /// of a page.
    static func greeting(_ user: User?, on page: String) -> some View {
        Stack(.horizontal) {
            welcome(user, on: page)
            if page != AccountViews.page {
                if user == nil {
                    Button("Sign in", .show(page: AccountViews.page))
                } else {
                    Button("Sign out", .call("signOut"))
                }
            }
        }
    }

    /// Who is signed in, or an invitation to the page about the account, which has the form anyway.
    static func card(_ user: User?, on page: String) -> some View {
        guard let user else {
            return Card("No one is signed in", subtitle: "What you add now belongs to the guest.") {
                if page != AccountViews.page { Button("Sign in", .show(page: AccountViews.page), role: .primary) }
            }
        }
        return Card(user.name, subtitle: "Signed in") {
            if let day = user.createdAt.rfc3339?.prefix(10) { Text("Account since \(day)", style: .caption) }
            Button("Sign out", .call("signOut"))
        }
    }

    /// The words of a greeting, which lead a user to the page about the account.
    private static func welcome(_ user: User?, on page: String) -> some View {
        guard let user else { return Text("Welcome, guest", style: .caption) }
        let text = Text("Welcome, \(user.name)")
        return page == "account" ? text : text.action(.show(page: "account"))
    }

    /// The form for signing in; nothing to fill in while a user is signed in.
    static func signIn(_ user: User?) -> some View {
        if let user { return Placeholder("\(user.name) is signed in.").node }
        return Form("Sign in", .call("signIn")) {
            name
            Field("password", "Password", .password).required()
        }.node
    }

    /// The form for a new account.
    static func signUp() -> some View {
        Form("Create account", .call("signUp")) {
            name
            Field("password", "Password", .password).required().help("At least 8 characters.")
        }
    }

    /// Longer than names are, because spaces around them do not count.
    private static var name: some View { Field("name", "Name", .text(longest: 80)).required() }
}
