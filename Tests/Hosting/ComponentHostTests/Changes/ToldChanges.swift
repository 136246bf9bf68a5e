import ComponentHost
import Foundation
import TestSupport

extension CatalogChange {
    /// The change on one line: its kind, the component, and the versions.
    var summary: String {
        let subject = component ?? path.map { ($0 as NSString).lastPathComponent } ?? "?"
        let versions = [previousVersion, version].compactMap { $0?.description }.joined(separator: "→")
        return [kind.description, subject, versions, isInMemory ? "in memory" : ""].filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}

extension LinkHost {
    /// Rescans and returns the changes, one per line.
    func told() -> [String] { rescan().map(\.summary) }
}
