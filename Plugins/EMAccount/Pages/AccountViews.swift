import ComponentKit
import EMAccountContract
import PageKit

/// How accounts look. These functions know neither where the users come from, nor what an action does.
enum AccountViews {
    /// The pages that this component brings along, which have the forms.
    private static let pages = ["account", "sign-in"]

    /// Leads to the forms, and back from there.
    private static func signIn(from page: String) -> Action {
        .show(page: "sign-in", page.utf8.count <= longestOrigin ? ["from": .string(page)] : [:])
    }

    /// The longest id of a page to which a sign-in leads back. The id of the page with the forms contains it, encoded.
    private static let longestOrigin = 300

    private static func hasForms(_ page: String) -> Bool {
        PageAddress(page).map { address in pages.contains { $0.utf8.elementsEqual(address.name.utf8) } } ?? false
    }

    /// A greeting with the way to sign in or out, which the pages about the account have anyway. It has room in the
    /// header of a page.
    static func greeting(_ user: User?, on page: String) -> some View {
        Stack(.horizontal) {
            welcome(user, on: page)
            if !hasForms(page) {
                if user == nil {
                    Button("Sign in", signIn(from: page))
                } else {
                    Button("Sign out", .call("signOut"))
                }
            }
        }
    }

    /// Who is signed in, or an invitation to the page with the forms.
    static func card(_ user: User?, on page: String) -> some View {
        guard let user else {
            let whose = Session.current == nil ? "belongs to the guest" : "stays with this browser"
            return Card("No one is signed in", subtitle: "What you add now \(whose).") {
                if !hasForms(page) { Button("Sign in", signIn(from: page), role: .primary) }
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

    /// Both forms, beside each other; nothing to fill in while a user is signed in.
    ///
    /// - Parameter from: the page that is shown afterwards.
    static func entry(_ user: User?, from: String?) -> some View {
        if user != nil { return signIn(user, from: from).node }
        return Grid(columns: 2) {
            signIn(nil, from: from, title: "Sign in")
            signUp(from: from, title: "New account")
        }.node
    }

    /// The form for signing in; nothing to fill in while a user is signed in.
    ///
    /// - Parameters:
    ///   - from: the page that is shown afterwards; nil to stay.
    ///   - title: the title of the form.
    static func signIn(_ user: User?, from: String?, title: String? = nil) -> some View {
        if let user { return Placeholder("\(user.name) is signed in.").node }
        return Form("Sign in", call("signIn", from: from), title: title) {
            name
            Field("password", "Password", .password).required()
        }.node
    }

    /// The form for a new account.
    ///
    /// - Parameters:
    ///   - from: the page that is shown afterwards; nil to stay.
    ///   - title: the title of the form.
    static func signUp(from: String?, title: String? = nil) -> some View {
        Form("Create account", call("signUp", from: from), title: title) {
            name
            Field("password", "Password", .password).required().help("At least 8 characters.")
        }
    }

    private static func call(_ selector: String, from: String?) -> Action {
        from.map { .call(selector, ["from": .string($0)]) } ?? .call(selector)
    }

    /// Longer than names are, because spaces around them do not count.
    private static var name: some View { Field("name", "Name", .text(longest: 80)).required() }
}
