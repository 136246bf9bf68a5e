import ComponentHost
import ComponentKit
import EMAccountContract
import Logging
import TestSupport
import Testing

/// EMAccount linked into the test program, and as the real component file.
enum AccountDepth: String, CaseIterable, CustomTestStringConvertible {
    case builtIn, file

    var testDescription: String { self == .builtIn ? "built in" : "from its file" }

    /// Calls `body` with a host and a client, and stops the host.
    func withAccount<Value>(
        _ data: String?, body: (LinkHost, AccountServiceClient) async throws -> Value
    ) async throws -> Value {
        try await withPlugins { plugins in
            if self == .file { try plugins.add("EMAccount") }
            var options = HostOptions()
            options.dataDirectory = data
            options.logger.logLevel = .critical
            let host = LinkHost(components: [plugins.path], includesBuiltIn: self == .builtIn, options: options)
            do {
                let value = try await body(host, try host.service(AccountServiceClient.self, from: "EMAccount"))
                await host.stop()
                return value
            } catch {
                await host.stop()
                throw error
            }
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
