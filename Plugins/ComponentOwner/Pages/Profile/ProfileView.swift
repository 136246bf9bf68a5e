import PageKit

/// How the card of the owner looks.
enum ProfileView {
    static func card(_ state: ProfileState) -> some View {
        Card {
            Stack(.horizontal) {
                if state.portrait == nil { Icon(state.remark == nil ? "account" : "guest").key("icon") }
                Row(state.name, detail: state.remark, image: state.portrait).key("owner")
                Stat("Addresses", "\(state.addresses)").key("addresses")
                Stat("Companies", "\(state.companies)").key("companies")
            }
        }
    }
}
