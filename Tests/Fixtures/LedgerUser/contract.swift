import ComponentKit

@Model struct Entry: Sendable {
    var name: String
    var amount: Int
}

@LinkService("org.hslink.ledger/1")
protocol LedgerService: Sendable {
    func add(_ entry: Entry) throws -> Int
    func total() throws -> Int
}
