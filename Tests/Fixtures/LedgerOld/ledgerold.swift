import ComponentKit

@Component("LedgerOld", version: "1.0.0")
struct LedgerOldLife {}

@LinkClass("LedgerOldLink", provides: (any LedgerService).self)
final class LedgerLink: LedgerService {
    func add(_ entry: Entry) throws -> Int { entry.amount }
    func total() throws -> Int { 1 }
}
