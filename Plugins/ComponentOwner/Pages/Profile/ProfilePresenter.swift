import ComponentOwnerContract
import PageKit

/// Decides what the card of the owner shows.
struct ProfilePresenter: Sendable {
    private let store: OwnerStore
    private let accounts: AccountFinder
    private let portraits: PortraitPainter

    init(_ component: ComponentOwner) {
        store = component.store
        accounts = component.accounts
        portraits = component.portraits
    }

    func state() async throws -> ProfileState {
        let owner = try await accounts.owner()
        let counts = try await store.counts(of: owner)
        let portrait = await portraits.portrait(of: owner)
        let keeping = owner.isTemporary ? "stays with this browser for 30 days" : "belongs to the guest"
        return ProfileState(
            name: owner.name, remark: owner.isGuest ? "No one is signed in. What you add \(keeping)." : nil,
            addresses: counts.addresses, companies: counts.companies, portrait: ProfileState.picture(portrait))
    }
}

/// What the card of the owner shows.
struct ProfileState: Hashable, Sendable {
    var name: String
    /// What to know about the guest; nil for a user.
    var remark: String?
    var addresses: Int
    var companies: Int
    /// The portrait; nil if pages cannot show it.
    var portrait: ImageSource?

    /// The largest portrait on a page, in bytes.
    private static let largest = 256 << 10

    /// Returns a portrait as pages take it; nil for one that they do not take, such as SVG, which can contain scripts.
    static func picture(_ portrait: Portrait) -> ImageSource? {
        guard ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(portrait.mediaType),
            portrait.data.count <= largest
        else { return nil }
        return .bytes([UInt8](portrait.data), type: portrait.mediaType)
    }
}
