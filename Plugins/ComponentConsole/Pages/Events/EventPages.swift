import ComponentKit
import HostContract
import PageKit

/// What the page about events shows.
@LinkClass("ConsoleEvents")
final class EventPages {
    private let console: ComponentConsole

    init(_ context: ComponentContext) throws { console = try context.console }

    /// The events that components post or handle.
    @PageModule("console.events")
    func events(_ context: PageContext) async throws -> some View {
        EventViews.events(
            try await console.watch.follow(context) { [host = console.host] in
                EventList(events: try await host.events())
            }.events,
            in: context, empty: "No component posts or handles an event.")
    }

    /// What was posted last.
    @PageModule("console.events.posts")
    func posts(_ context: PageContext) async throws -> some View {
        EventViews.posts(
            try await console.watch.follow(context) { [host = console.host] in
                PostList(try await host.service().posts(after: nil))
            }, in: context)
    }
}

/// The events of a host.
struct EventList: WatchedState {
    var events: [EventRow]
}

/// What was posted last, newest first.
struct PostList: WatchedState {
    var posts: [EventPost]

    /// The event by which pages are told to ask again. The console posts it too, so it is left out.
    static let leftOut = PageModuleChanged.eventName

    init(_ posts: [EventPost]) { self.posts = posts.filter { $0.event != PostList.leftOut }.reversed() }
}
