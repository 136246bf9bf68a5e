import ComponentHost
import ComponentKit
import HostTestSupport
import Logging
import PageKit
import TestSupport
import Testing

@testable import ComponentConsole

/// Hosts with the console and what shows its pages.
enum ConsolePlace {
    /// Whether the component that composes pages has been built; it can be removed from the package.
    static let hasPages = (try? Fixtures.file("ComponentPages")) != nil

    /// Calls `body` with a host of real component files, and with the service that composes its pages.
    static func withConsole<Value>(
        _ others: [String] = [], options: [String: String] = [:], configure: (inout HostOptions) -> Void = { _ in },
        _ body: (LinkHost, PageServiceClient, PluginDirectory) async throws -> Value
    ) async throws -> Value {
        try await withPlugins { plugins in
            let components = try SharedPlugins.directories(
                of: ["ComponentConsole", "ComponentPages"] + others, besides: plugins)
            var hostOptions = HostOptions()
            hostOptions.logger.logLevel = .critical
            var configuration = HostConfiguration(environmentPrefix: nil)
            configuration.values["ComponentConsole.interval"] = "0.2"
            // A module that answers late on a busy machine would leave its section as it was.
            configuration.values["ComponentPages.timeout"] = "120"
            for (key, value) in options { configuration.values["ComponentConsole.\(key)"] = value }
            hostOptions.configuration = configuration
            configure(&hostOptions)
            let host = LinkHost(components: components, includesBuiltIn: false, options: hostOptions)
            do {
                let pages = try host.service(PageServiceClient.self)
                // With an option that makes no sense, there are none.
                if options["interval"] == nil { #expect(await pages.have("console")) }
                let value = try await body(host, pages, plugins)
                await host.stop()
                return value
            } catch {
                await host.stop()
                throw error
            }
        }
    }
}

extension PageServiceClient {
    /// Whether there is a page sooner or later: on a busy machine, a component that brings pages along may answer too
    /// late, and is asked again after a while.
    func have(_ id: String) async -> Bool { await holds { try await pages().contains { $0.id == id } } }

    /// The page once no module is being asked for the first time.
    func settled(_ id: String) async throws -> Page {
        #expect(await have(id), "\(id)")
        var page = try await page(id: id, after: nil)
        while page.isLoading { page = try await self.page(id: id, after: page.revision) }
        return page
    }

    /// The view of a module on a page.
    func view(_ module: ConsoleModule, on id: String = "console") async throws -> ViewNode {
        let page = try await settled(id)
        let section = try #require(page.sections.first { $0.module == module.rawValue }, "\(module) on \(id)")
        #expect(section.state == .shown, "\(section)")
        return section.view
    }

    /// Performs the action of the first view of a module that offers one like this.
    @discardableResult
    func perform(
        _ module: ConsoleModule, on id: String, _ values: [String: String] = [:], where isMeant: (Action) -> Bool
    ) async throws -> ActionOutcome {
        let action = try #require(try await view(module, on: id).actions.first(where: isMeant))
        return try await perform(page: id, section: module.rawValue, action: action, values: values)
    }
}

extension Action {
    /// The selector that it calls; nil for another effect.
    var selector: String? { if case .call(let selector, _) = effect { selector } else { nil } }
}

/// Follows a page as browsers do.
final class PageFollower: Sendable {
    private let page = Lock<Page?>(nil)
    private let updates = Lock(0)
    private let task = Lock<Task<Void, any Error>?>(nil)

    init(_ id: String, _ pages: PageServiceClient) async throws {
        #expect(await pages.have(id), "\(id)")
        let stream = try await pages.updates(id: id)
        let task = Task {
            for try await update in stream {
                try page.withLock { page in
                    if var known = page {
                        try known.apply(update)
                        page = known
                    } else if case .page(let first) = update {
                        page = first
                    }
                }
                updates.withLock { $0 += 1 }
            }
        }
        self.task.withLock { $0 = task }
    }

    /// The number of updates so far.
    var count: Int { updates.withLock { $0 } }

    /// What a module shows now.
    func view(_ module: ConsoleModule) -> ViewNode? {
        page.withLock { $0?.sections.first { $0.module == module.rawValue && $0.state == .shown }?.view }
    }

    /// Whether a module shows this sooner or later.
    func shows(_ module: ConsoleModule, _ condition: (ViewNode) -> Bool) async -> Bool {
        await holds { view(module).map(condition) ?? false }
    }

    func end() { task.withLock { $0 }?.cancel() }
}
