import ComponentHost
import Foundation
import TestSupport

/// Calls `body` with a host that watches a directory, and with the changes that it reports.
///
/// - Parameters:
///   - path: The path of the directory, which need not exist.
///   - body: Called when the watching has begun.
func withWatchedHost<Value>(
    over path: String, body: (LinkHost, Collected<CatalogChange>) async throws -> Value
) async throws -> Value {
    let host = LinkHost(components: [path], includesBuiltIn: false, options: .quiet)
    let told = Collected<CatalogChange>()
    let changes = host.watch()
    let reader = Task { for await change in changes { told.add(change) } }
    let value = try await body(host, told)
    await host.stop(timeout: .seconds(300))
    // Ends by itself with the host.
    await reader.value
    return value
}

extension Collected<CatalogChange> {
    /// Waits until this is the last reported change.
    func ends(with summary: String) async -> Bool { await holds { all.last?.summary == summary } }

    /// Waits until this change has been reported.
    func has(_ summary: String) async -> Bool { await holds { all.contains { $0.summary == summary } } }
}
