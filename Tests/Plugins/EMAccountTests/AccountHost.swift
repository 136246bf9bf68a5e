import ComponentHost
import ComponentKit
import EMAccountContract
import HostTestSupport
import Testing

extension ComponentDepth {
    /// Calls `body` with a host and a client.
    func withAccount<Value>(
        _ data: String?, body: (LinkHost, AccountServiceClient) async throws -> Value
    ) async throws -> Value {
        try await withHost(["EMAccount"]) { options in
            options.dataDirectory = data
        } body: { host in
            try await body(host, try host.service(AccountServiceClient.self, from: "EMAccount"))
        }
    }
}

/// Returns the error that a call threw; records an issue if it threw another kind.
func accountError<Value>(_ body: () async throws -> Value) async -> AccountError? {
    do {
        let value = try await body()
        Issue.record("expected an error, there was \(value)")
        return nil
    } catch {
        #expect(error is AccountError, "\(error)")
        return error as? AccountError
    }
}
