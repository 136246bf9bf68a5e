import PageKit

/// How the card of the owner looks.
enum ProfileView {
    static func card(_ state: ProfileState) -> some View {
        Card(state.name, subtitle: state.guestReason.map { "You are the guest: \($0)" }) {
            if let portrait = state.portrait {
                Image(portrait, describing: "Portrait of \(state.name)").key("portrait")
            } else {
                Icon(state.guestReason == nil ? "account" : "guest").key("portrait")
            }
            Stat("Addresses", "\(state.addresses)").key("addresses")
            Stat("Companies", "\(state.companies)").key("companies")
        }
    }
}
