import ComponentKit
import EMAccountContract
import PageKit

/// How accounts look. These functions know neither where the users come from, nor what an action does.
enum AccountViews {
    /// Who is signed in, or an invitation.
    static func card(_ user: User?) -> some View {
        guard let user else {
            return Card("Nobody is signed in", subtitle: "What you add now belongs to the guest.") {
                Button("Sign in", .show(page: "account"), role: .primary)
            }
        }
        return Card(user.name, subtitle: "Signed in") {
            if let day = user.createdAt.rfc3339?.prefix(10) { Text("Account since \(day)", style: .caption) }
            Button("Sign out", .call("signOut"))
        }
    }

    /// The form for signing in; nothing to fill in while somebody is signed in.
    static func signIn(_ state: SignInState) -> some View {
        if let user = state.user { return Placeholder("\(user) is signed in.").node }
        return form("Sign in", state.form) {
            Field("name", "Name", .text(longest: longestName)).required()
            Field("password", "Password", .password).required()
        }
    }

    /// The form for a new account.
    static func signUp(_ state: AccountFormState) -> some View {
        form("Create account", state) {
            Field("name", "Name", .text(longest: longestName), value: state.attempt?.name.map { .string($0) } ?? .null)
                .required().problem(state.attempt?.problem(of: "name"))
            Field("password", "Password", .password)
                .required().help("At least 8 characters.").problem(state.attempt?.problem(of: "password"))
        }
    }

    /// Longer than names are, because spaces around them do not count.
    private static let longestName = 80

    private static func form(
        _ submit: String, _ state: AccountFormState, @ViewBuilder fields: () -> [ViewNode]
    ) -> ViewNode {
        Form(submit, state.submit) {
            switch state.attempt?.message {
            case .warning(let text): Text(text, style: .warning).key("message")
            case .success(let text): Text(text, style: .success).key("message")
            case .problem, nil: [ViewNode]()
            }
            fields()
        }.node
    }
}

/// What stands around the pages of the sample application.
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
