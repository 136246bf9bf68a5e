import ComponentKit
import ComponentOwnerContract
import EMAccountContract
import NXStorage
import NXUIContract
import PageKit

/// The addresses and companies of the user who is signed in in the session of a call, or of its guest if none is.
///
/// They are stored in `owner.sqlite` in the component's data directory. Each call asks EMAccount for the signed-in
/// user, and keeps no answer: the next call may come from another session. An EMAccount that is added later is found;
/// without EMAccount, the owner is a guest. Each session has a guest of its own, whose data moves with the session, and is
/// deleted 30 days after the last change. Calls without a session share one, whose data stays.
@Component(
    version: "1.0.0", layer: .business,
    requires: [.service((any AccountService).self, optional: true), .service((any UIService).self, optional: true)],
    posts: [OwnerChange.self, OwnerSwitched.self, PageModuleChanged.self])
struct ComponentOwner {
    private let storage: Storage
    private let hub: ChangeHub
    private let events: Events
    let store: OwnerStore
    let accounts: AccountFinder
    let portraits: PortraitPainter

    init(_ context: ComponentContext) {
        events = context.events
        hub = ChangeHub { [events = context.events] change in
            // For all sessions: the owner may be signed in in several.
            Session.with(nil) {
                events.post(change)
                events.postChanged(OwnerModule.showing(change.item))
            }
        }
        storage = Storage("owner.sqlite", migrations: OwnerSchema.migrations) { try context.dataDirectory() }
        store = OwnerStore(storage, hub)
        accounts = AccountFinder(context.link)
        portraits = PortraitPainter(context.link)
    }

    func changes(of owner: Owner) -> AsyncThrowingStream<OwnerChange, any Error> { hub.subscribe(to: owner.key) }

    @On func signedIn(_ event: SignedIn) { switched(OwnerSwitched(name: event.user.name, guest: false)) }

    @On func signedOut(_ event: SignedOut) { switched(OwnerSwitched(name: Owner.guestName, guest: true)) }

    /// What a guest has added stays with the browser.
    @On(.loads, .concurrent) func sessionRenewed(_ event: SessionRenewed) async throws {
        guard let former = Session.current, let next = Session.successor else { return }
        try await store.move(from: former, to: next)
    }

    /// Passes on that the session has another owner, in that session.
    private func switched(_ event: OwnerSwitched) {
        events.post(event)
        events.postChanged(OwnerModule.allCases, sessionOnly: true)
    }

    func stop() {
        hub.end()
        storage.close()
    }
}
