import ComponentKit

@Component("LedgerDrifted", version: "3.0.0")
struct LedgerDriftedLife {}

@LinkClass("LedgerDriftedLink", provides: (any LedgerService).self)
final class LedgerLink: LedgerService {
    func add(_ entry: Entry) throws -> Int { 0 }
    func sum() throws -> Int { 0 }
}
