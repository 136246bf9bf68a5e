import ComponentKit
import ComponentOwnerContract
import EMAccountContract
import NXStorage

/// The addresses and companies of whoever is signed in, and of the guest where nobody is.
///
/// All of it lies in `owner.sqlite` in the component's data directory. Who is signed in is asked of EMAccount at each
/// call; a component that comes later is found, one that is not there leaves the guest.
@Component(
    version: "1.0.0", layer: .business, requires: [.service((any AccountService).self, optional: true)])
struct ComponentOwner {
    private let storage: Storage
    private let hub = ChangeHub()
    let store: OwnerStore
    let accounts: AccountFinder

    init(_ context: ComponentContext) {
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
