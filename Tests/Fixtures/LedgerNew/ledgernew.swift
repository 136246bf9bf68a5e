import ComponentKit

@Component("LedgerNew", version: "2.0.0")
struct LedgerNewLife {}

@LinkClass("LedgerNewLink", provides: (any LedgerService).self)
final class LedgerLink: LedgerService {
    func add(_ entry: Entry, urgent: Bool?) throws -> Int { entry.amount * entry.weight + (urgent == nil ? 0 : 1) }
    func total() throws -> Int { 2 }
    func clear() throws {}
}
