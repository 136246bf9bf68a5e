public import ComponentKit

@Model public struct Entry: Sendable {
    public var name: String
    public var amount: Int
}

@LinkService("org.hslink.ledger/1")
public protocol LedgerService: Sendable {
    func add(_ entry: Entry) throws -> Int
    func total() throws -> Int
}
