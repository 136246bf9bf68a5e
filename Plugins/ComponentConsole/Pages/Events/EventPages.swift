import ComponentKit
import HostContract
import PageKit

/// What the page about events shows.
@LinkClass("ConsoleEvents")
final class EventPages {
    private let host: HostReader
    private let watch: ModuleWatch

    init(_ context: ComponentContext) throws {
        let console = try context.console
        host = console.host
        watch = console.watch
    }

    /// The events that components post or handle.
    @PageModule("console.events")
    func events(_ context: PageContext) async throws -> some View {
        let host = host
        return EventViews.events(
            try await watch.follow(context) { EventList(events: try await host.events()) }.events,
            empty: "No component posts or handles an event.")
    }

    /// What was posted last.
    @PageModule("console.events.posts")
    func posts(_ context: PageContext) async throws -> some View {
        let host = host
        return EventViews.posts(
            try await watch.follow(context) { PostList(try await host.service().posts(after: nil)) })
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
