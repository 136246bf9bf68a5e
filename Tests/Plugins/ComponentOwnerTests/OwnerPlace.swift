import ComponentHost
import ComponentKit
import ComponentOwnerContract
import EMAccountContract
import Foundation
import GRDB
import Logging
import TestSupport
import Testing

/// A data directory for one test, and hosts for it that have the real component files.
struct OwnerPlace {
    let path: String
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path
    }

    /// EMAccount may be removed from the package; then no user can sign in.
    static let hasAccounts = FileManager.default.fileExists(atPath: BuiltProducts.component("EMAccount").path)

    /// ComponentPages may be removed as well; then no page is composed.
    static let hasPages =
        hasAccounts && FileManager.default.fileExists(atPath: BuiltProducts.component("ComponentPages").path)

    var owners: String { "\(path)/ComponentOwner/owner.sqlite" }
    var accounts: String { "\(path)/EMAccount/accounts.sqlite" }

    /// Creates a host with these components.
    ///
    /// - Parameter areMovable: Whether the test takes their files out of the directory of `body`, so that they must be
    ///   there, and not in a directory that all tests share.
    func withHost<Value>(
        _ components: String..., data: String? = nil, areMovable: Bool = false,
        body: (LinkHost, PluginDirectory) async throws -> Value
    ) async throws -> Value {
        try await withPlugins { plugins in
            if areMovable { for component in components { try plugins.add(component) } }
            let directories = try SharedPlugins.directories(of: areMovable ? [] : components, besides: plugins)
            var options = HostOptions()
            options.dataDirectory = data ?? path
            options.logger.logLevel = .critical
            let host = LinkHost(components: directories, includesBuiltIn: false, options: options)
            do {
                let value = try await body(host, plugins)
                await host.stop()
                return value
            } catch {
                await host.stop()
                throw error
            }
        }
    }

    /// Writes a page file of an operator.
    func write(page: String, to name: String) throws {
        let folder = "\(path)/ComponentPages/pages"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data(page.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    }

    /// Creates the file of EMAccount, with very cheap hashes.
    func makeAccounts(_ names: String..., data: String? = nil) async throws {
        try await withHost("EMAccount", data: data) { host, _ in
            _ = try await host.service(AccountServiceClient.self).currentUser()
        }
        let file = "\(data ?? path)/EMAccount/accounts.sqlite"
        try OwnerPlace.edit(file) { db in try db.execute(sql: "INSERT INTO setting VALUES ('scrypt', '2 1 1')") }
        try await withHost("EMAccount", data: data) { host, _ in
            let account = try host.service(AccountServiceClient.self)
            for name in names { _ = try await account.signUp(name: name, password: OwnerPlace.password) }
        }
    }

    static let password = Password("correct horse")

    /// Reads or changes a file while no process has it open.
    static func edit<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.write(body)
    }
}

extension OwnerServiceClient {
    /// Adds an address with a label and minimal other fields.
    func addAddress(_ label: String) async throws -> Address {
        try await addAddress(label: label, street: "1", city: "X", postalCode: nil, country: nil)
    }
}

/// Returns the error that a call threw; records an issue if it threw another kind.
func ownerError<Value>(_ body: () async throws -> Value) async -> OwnerError? {
    do {
        let value = try await body()
        Issue.record("expected an error, there was \(value)")
        return nil
    } catch {
        #expect(error is OwnerError, "\(error)")
        return error as? OwnerError
    }
}
