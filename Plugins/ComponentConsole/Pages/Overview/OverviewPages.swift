import ComponentKit
import HostContract
import PageKit

/// What the first page of the console shows.
@LinkClass("ConsoleOverview")
final class OverviewPages {
    private let console: ComponentConsole

    init(_ context: ComponentContext) throws { console = try context.console }

    /// How many components there are in each state, and how many calls.
    @PageModule("console.summary")
    func summary(_ context: PageContext) async throws -> some View {
        OverviewView.summary(
            try await console.watch.follow(context) { [host = console.host] in
                SummaryState(try await host.service().contents().components, try await host.counters())
            })
    }

    /// The components, each of which leads to its own page.
    @PageModule("console.components")
    func components(_ context: PageContext) async throws -> some View {
        OverviewView.components(
            try await console.watch.follow(context) { [host = console.host] in
                ComponentList(try await host.service().contents().components, host.observers())
            })
    }

    /// Files, directories, classes and routes that the host does not use, with reasons.
    @PageModule("console.unused")
    func unused(_ context: PageContext) async throws -> some View {
        OverviewView.unused(
            try await console.watch.follow(context) { [host = console.host] in
                UnusedState(try await host.service().contents(), try await host.routes().refused)
            })
    }

    /// A button that rescans the directories, if that is allowed.
    @PageModule("console.rescan")
    func rescanning(_ context: PageContext) -> some View {
        OverviewView.rescanning(isAllowed: console.settings.options.changes)
    }

    // MARK: - What people choose

    /// Scans the directories again.
    ///
    /// - Returns: What has changed, for the person who has asked.
    @Selector func rescan() async throws -> String {
        try console.settings.expect(.changes)
        let changes = try await console.host.service().rescan()
        return changes.isEmpty ? "Nothing has changed." : changes.listed(most: 5).sentence
    }
}
