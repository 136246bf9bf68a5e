public import ComponentKit

// What old callers do not send is optional or has a default.
@Model public struct Entry: Sendable {
    public var name: String
    public var amount: Int
    public var note: String?
    public var weight: Int = 100
}

@LinkService("org.hslink.ledger/1")
public protocol LedgerService: Sendable {
    func add(_ entry: Entry, urgent: Bool?) throws -> Int
    func total() throws -> Int
    func clear() throws
}
