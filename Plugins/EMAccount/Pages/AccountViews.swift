import ComponentKit
import EMAccountContract
import PageKit

/// How accounts look. These functions know neither where the users come from, nor what an action does.
enum AccountViews {
    /// Who is signed in, or an invitation.
    static func card(_ user: User?) -> some View {
        guard let user else {
            return Card("No one is signed in", subtitle: "What you add now belongs to the guest.") {
                Button("Sign in", .show(page: "account"), role: .primary)
            }
        }
        return Card(user.name, subtitle: "Signed in") {
            if let day = user.createdAt.rfc3339?.prefix(10) { Text("Account since \(day)", style: .caption) }
            Button("Sign out", .call("signOut"))
        }
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

/// The frame around the pages of the sample application.
enum AccountFrame {
    /// The pages that the navigation leads to. They belong to other components, any of which may be missing.
    private static let pages = [
        ("home", "Home"), ("owner", "Owner"), ("gallery", "Pictures"), ("player", "Films"), ("account", "Account"),
    ]

    /// - Parameters:
    ///   - user: who is signed in.
    ///   - problem: why that is not known; nil if it is.
    static func view(_ user: User?, problem: String?) -> some View {
        PageFrame {
            for (page, title) in pages { Button(title, .show(page: page)).key(page) }
        }
        .header {
            if let problem {
                Text(problem, style: .warning)
            } else {
                Text("Welcome, \(user?.name ?? "guest")", style: .heading)
            }
        }
    }
}
