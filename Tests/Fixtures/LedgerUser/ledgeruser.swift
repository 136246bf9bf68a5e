import ComponentKit

/// A component that uses a service of another component.
@Component("LedgerUser", version: "1.0.0")
struct LedgerUserLife {}

@LinkClass("LedgerUserLink")
final class LedgerUser {
    private let link: Link

    init(_ context: ComponentContext) { link = context.link }

    @Selector func book(amount: Int, from component: String? = nil) throws -> Int {
        try link.service(LedgerServiceClient.self, from: component).add(Entry(name: "x", amount: amount))
    }

    @Selector func isThere() -> Bool { link.provides(LedgerServiceClient.self) }
}
