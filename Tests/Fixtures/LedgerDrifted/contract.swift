import ComponentKit

// This differs from the contract that callers were compiled against.
@Model struct Entry: Sendable {
    var name: String
    var amount: Double
    var currency: String
}

@LinkService("org.hslink.ledger/1")
protocol LedgerService: Sendable {
    func add(_ entry: Entry) throws -> Int
    func sum() throws -> Int
}
