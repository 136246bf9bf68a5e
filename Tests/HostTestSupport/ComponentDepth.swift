public import ComponentHost
public import Foundation
import Logging
import TestSupport
public import Testing

/// A component of this package, linked into the test program, and as the real component file.
public enum ComponentDepth: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case builtIn, file

    /// How the component comes into the host.
    public var testDescription: String { self == .builtIn ? "built in" : "from its file" }

    /// Calls `body` with a host that has a directory of these components, or all that are linked into the test program,
    /// and stops the host.
    ///
    /// - Parameters:
    ///   - components: The folders in `Plugins/`.
    ///   - files: Other files for the directory, such as descriptions of C libraries.
    ///   - configure: Sets options that differ from the default.
    public func withHost<Value>(
        _ components: [String], files: [URL] = [], configure: (inout HostOptions) throws -> Void = { _ in },
        body: (LinkHost) async throws -> Value
    ) async throws -> Value {
        try await withPlugins { plugins in
            let shared = try self == .file ? components.map { try SharedPlugins.directory(of: $0) } : []
            for file in files { try plugins.add(file: file) }
            var options = HostOptions()
            options.logger.logLevel = .critical
            try configure(&options)
            let host = LinkHost(
                components: [plugins.path] + shared, includesBuiltIn: self == .builtIn, options: options)
            do {
                let value = try await body(host)
                await host.stop()
                return value
            } catch {
                await host.stop()
                throw error
            }
        }
    }
}
