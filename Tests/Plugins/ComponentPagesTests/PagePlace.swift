import ComponentHost
import ComponentKit
import Foundation
import HostTestSupport
import Logging
import PageKit
import TestSupport
import Testing

/// A data directory with page files, and hosts that show them.
struct PagePlace {
    private let directory: TemporaryDirectory
    let path: String
    /// The folder of page files.
    let folder: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path
        folder = "\(path)/ComponentPages/pages"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Writes a page file as editors do: in one step.
    func write(_ text: String, to name: String) throws {
        let target = "\(folder)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: target), options: .atomic)
    }

    /// Writes a page with sections.
    func write(page: String, _ sections: String...) throws {
        let sections = sections.joined(separator: ", ")
        try write(#"{"page": "\#(page)", "title": "T", "sections": [\#(sections)]}"#, to: "\(page).json")
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(folder)/\(name)") }

    /// Calls `body` with the pages of a host, which has the modules of this test program and other components as well.
    ///
    /// - Parameters:
    ///   - timeout: how many seconds modules have to answer. One that answers later, on a busy machine, leaves its
    ///     section as it was.
    ///   - kept: how many pages are kept at a time.
    ///   - stuckLimit: how many methods of a component may hang before calls to it fail.
    ///   - keepsLog: whether the host keeps the lines of its log, which are not printed.
    func withPages<Value>(
        _ depth: ComponentDepth = .file, _ others: [String] = [], timeout: Double = 120, kept: Int = 2000,
        stuckLimit: Int = 16, keepsLog: Bool = false,
        _ body: (LinkHost, PageServiceClient, PluginDirectory) async throws -> Value
    ) async throws -> Value {
        try await withPlugins { plugins in
            let components = try SharedPlugins.directories(
                of: (depth == .file ? ["ComponentPages"] : []) + others, besides: plugins)
            var options = HostOptions()
            options.dataDirectory = path
            options.logger = Logger(label: "test") { _ in SilentLog(logLevel: keepsLog ? .info : .critical) }
            options.stuckLimit = stuckLimit
            var configuration = HostConfiguration(environmentPrefix: nil)
            configuration.values["ComponentPages.timeout"] = "\(timeout)"
            configuration.values["ComponentPages.kept"] = "\(kept)"
            options.configuration = configuration
            let host = LinkHost(
                components: components, includesBuiltIn: depth == .builtIn,
                provides: [
                    ProvidedClass(TestModules.self), ProvidedClass(ObservedModules.self),
                    ProvidedClass(SessionModules.self), ProvidedClass(RestlessModules.self),
                    ProvidedClass(ValueModules.self),
                ], options: options)
            do {
                let value = try await body(host, try host.service(PageServiceClient.self), plugins)
                await host.stop()
                return value
            } catch {
                await host.stop()
                throw error
            }
        }
    }
}

/// A log that prints nothing, with a level of its own: a host keeps the lines from that level on.
private struct SilentLog: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {}
}

/// What a section shows, in a form that is easy to compare.
extension PageSection {
    var summary: String {
        switch view.content {
        case .failure(let content): "\(name) \(state.rawValue): \(content.detail ?? content.message)"
        case .text(let content): "\(name) \(state.rawValue): \(content.text)"
        case .placeholder(let content): "\(name) \(state.rawValue): \(content.text)"
        default: "\(name) \(state.rawValue): \(view.children.map(\.title).joined(separator: ", "))"
        }
    }
}

extension ViewNode {
    var title: String {
        switch content {
        case .row(let content): content.title
        case .text(let content): content.text
        default: content.kind
        }
    }
}

extension PageServiceClient {
    /// The page once no module is being asked for the first time.
    func settled(_ id: String) async throws -> Page {
        var page = try await page(id: id, after: nil)
        while page.isLoading { page = try await self.page(id: id, after: page.revision) }
        return page
    }

    /// Whether the page shows this, sooner or later.
    func shows(_ id: String, _ summaries: [String]) async -> Bool {
        await holds { try await settled(id).summaries == summaries }
    }
}

extension Page {
    var summaries: [String] { sections.map(\.summary) }
}
