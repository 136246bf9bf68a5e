import ComponentKit
import HostContract
import PageKit

/// What the first page of the console shows.
@LinkClass("ConsoleOverview")
final class OverviewPages {
    private let console: ComponentConsole

    init(_ context: ComponentContext) throws { console = try context.console }

    /// Whether the host is well, how many components run, and how many calls there have been.
    @PageModule("console.summary")
    func summary(_ context: PageContext) async throws -> some View {
        OverviewView.summary(
            try await console.watch.follow(context) { [host = console.host] in
                SummaryState(
                    try await host.service().contents(), try await host.routes().refused,
                    counters: try await host.counters())
            })
    }

    /// The components, each of which leads to its own page.
    @PageModule("console.components")
    func components(_ context: PageContext) async throws -> some View {
        let list = try await console.watch.follow(context) { [host = console.host] in
            ComponentList(try await host.service().contents().components, host.observers())
        }
        return OverviewView.components(list, isAllowed: console.settings.options.changes, in: context)
    }

    /// Files, directories, classes and routes that the host does not use, with reasons; nothing if it uses all.
    @PageModule("console.unused")
    func unused(_ context: PageContext) async throws -> some View {
        OverviewView.unused(
            try await console.watch.follow(context) { [host = console.host] in
                UnusedState(try await host.service().contents(), try await host.routes().refused)
            })
    }

    /// The calls of the last quarter of an hour.
    @PageModule("console.activity")
    func activity(_ context: PageContext) async throws -> some View {
        console.activity.start()
        return OverviewView.activity(
            try await console.watch.follow(context) { [activity = console.activity] in activity.history })
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
