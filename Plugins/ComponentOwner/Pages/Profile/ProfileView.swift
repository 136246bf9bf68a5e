import PageKit

/// How the card of the owner looks.
enum ProfileView {
    static func card(_ state: ProfileState) -> some View {
        Card {
            Stack(.horizontal) {
                if state.portrait == nil { Icon(state.guestReason == nil ? "account" : "guest").key("icon") }
                Row(
                    state.name, detail: state.guestReason.map { "You are the guest: \($0)" }, image: state.portrait
                ).key("owner")
                Stat("Addresses", "\(state.addresses)").key("addresses")
                Stat("Companies", "\(state.companies)").key("companies")
            }
        }
    }
}
