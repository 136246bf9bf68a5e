import ComponentKit
import PageKit

/// The page modules that change with who is signed in. `@PageModule` takes literals only, so the names are at
/// the functions of ``AccountPages`` as well.
enum AccountModule: String, CaseIterable, Sendable {
    case card = "account.card"
    case signIn = "account.signIn"
    case entry = "account.entry"
    case greeting = "account.greeting"
    case signedIn = "account.signedIn"
}

extension Events {
    /// Tells the pages of the session to ask all modules for their views again.
    func postAccountModules() {
        for module in AccountModule.allCases { post(PageModuleChanged(module.rawValue, sessionOnly: true)) }
    }
}
