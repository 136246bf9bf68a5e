public import ComponentKit

// What callers were compiled against is not what this has.
@Model public struct Entry: Sendable {
    public var name: String
    public var amount: Double
    public var currency: String
}

@LinkService("org.hslink.ledger/1")
public protocol LedgerService: Sendable {
    func add(_ entry: Entry) throws -> Int
    func sum() throws -> Int
}
