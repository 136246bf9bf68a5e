import ComponentKit
import ComponentOwnerContract
import EMAccountContract
import NXStorage

/// The addresses and companies of the signed-in user, or of the guest if no user is signed in.
///
/// They are stored in `owner.sqlite` in the component's data directory. Each call asks EMAccount for the signed-in
/// user. An EMAccount that is added later is found; without EMAccount, the owner is the guest.
@Component(
    version: "1.0.0", layer: .business, requires: [.service((any AccountService).self, optional: true)],
    posts: [OwnerChange.self, OwnerSwitched.self])
struct ComponentOwner {
    private let storage: Storage
    private let hub: ChangeHub
    let store: OwnerStore
    let accounts: AccountFinder

    init(_ context: ComponentContext) {
        hub = ChangeHub { [events = context.events] change in events.post(change) }
        storage = Storage("owner.sqlite", migrations: OwnerSchema.migrations) { try context.dataDirectory() }
        store = OwnerStore(storage, hub)
        accounts = AccountFinder(context.link)
    }

    func changes() -> AsyncThrowingStream<OwnerChange, any Error> { hub.subscribe() }

    func stop() {
        hub.end()
        storage.close()
    }
}
