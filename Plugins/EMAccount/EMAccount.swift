import ComponentKit
import NXStorage

/// Accounts: people sign up with a name and a password, one at a time is signed in.
///
/// All of it lies in `accounts.sqlite` in the component's data directory. Of passwords there is a hash by scrypt, with a
/// salt of its own and the cost that it was made with. Sign-in is slowed down for each name, and stays so when the host
/// starts anew.
@Component(version: "1.0.0", layer: .weakBusiness)
struct EMAccount {
    private let storage: Storage
    let accounts: Accounts

    init(_ context: ComponentContext) {
        storage = Storage("accounts.sqlite", migrations: AccountSchema.migrations) { try context.dataDirectory() }
        accounts = Accounts(AccountStore(storage))
    }

    func stop() { storage.close() }
}
