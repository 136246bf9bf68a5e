import ComponentHost
import Foundation
import TestSupport

/// Calls `body` with a host that watches a directory, and with what it is told.
///
/// - Parameters:
///   - path: of the directory, there or not.
///   - body: is called when the watching has begun.
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
    /// Waits until the last of what has been told is this.
    func ends(with summary: String) async -> Bool { await holds { all.last?.summary == summary } }

    /// Waits until this has been told.
    func has(_ summary: String) async -> Bool { await holds { all.contains { $0.summary == summary } } }
}
