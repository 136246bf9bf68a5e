import ComponentHost
import Foundation
import TestSupport

extension CatalogChange {
    /// On one line: what has happened, to what, and in which versions.
    var summary: String {
        let subject = component ?? path.map { ($0 as NSString).lastPathComponent } ?? "?"
        let versions = [previousVersion, version].compactMap { $0?.description }.joined(separator: "→")
        return [kind.description, subject, versions, isInMemory ? "in memory" : ""].filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}

extension LinkHost {
    /// Looks again and says what has changed, a line each.
    func told() -> [String] { rescan().map(\.summary) }
}
