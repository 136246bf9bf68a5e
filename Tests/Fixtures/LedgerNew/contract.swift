import ComponentKit

// Values that old callers do not send are optional or have a default.
@Model struct Entry: Sendable {
    var name: String
    var amount: Int
    var note: String?
    var weight: Int = 100
}

@LinkService("org.hslink.ledger/1")
protocol LedgerService: Sendable {
    func add(_ entry: Entry, urgent: Bool?) throws -> Int
    func total() throws -> Int
    func clear() throws
}
