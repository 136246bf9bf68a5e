import ComponentKit
import HostContract
import PageKit

/// What the first page of the console shows.
@LinkClass("ConsoleOverview")
final class OverviewPages {
    private let host: HostReader
    private let settings: ConsoleSettings
    private let watch: ModuleWatch

    init(_ context: ComponentContext) throws {
        let console = try context.console
        host = console.host
        settings = console.settings
        watch = console.watch
    }

    /// How many components there are in each state, and how many calls.
    @PageModule("console.summary")
    func summary(_ context: PageContext) async throws -> some View {
        let host = host
        return OverviewView.summary(
            try await watch.follow(context) {
                SummaryState(try await host.service().contents().components, try await host.counters())
            })
    }

    /// The components, each of which leads to its own page.
    @PageModule("console.components")
    func components(_ context: PageContext) async throws -> some View {
        let host = host
        return OverviewView.components(
            try await watch.follow(context) {
                ComponentList(try await host.service().contents().components, host.observers())
            })
    }

    /// Files, directories, classes and routes that the host does not use, with reasons.
    @PageModule("console.unused")
    func unused(_ context: PageContext) async throws -> some View {
        let host = host
        return OverviewView.unused(
            try await watch.follow(context) {
                UnusedState(try await host.service().contents(), try await host.routes().refused)
            })
    }

    /// A button that rescans the directories, if that is allowed.
    @PageModule("console.rescan")
    func rescanning(_ context: PageContext) -> some View {
        OverviewView.rescanning(isAllowed: settings.options.changes)
    }

    // MARK: - What people choose

    /// Scans the directories again.
    ///
    /// - Returns: What has changed, for the person who has asked.
    @Selector func rescan() async throws -> String {
        try settings.expect(.changes)
        let changes = try await host.service().rescan()
        return changes.isEmpty ? "Nothing has changed." : changes.listed(most: 5).sentence
    }
}
