import ComponentKit
import PageKit

/// What the page about routes shows.
@LinkClass("ConsoleRoutes")
final class RoutePages {
    private let console: ComponentConsole
    private let questions = SessionValues<RouteQuestion>()

    init(_ context: ComponentContext) throws { console = try context.console }

    /// The routes of all components, and those that the host does not use.
    @PageModule("console.routes")
    func routes(_ context: PageContext) async throws -> some View {
        RouteViews.routes(
            try await console.watch.follow(context) { [host = console.host] in try await host.routes() }, in: context)
    }

    /// A form for a URL, and where the last one of the session leads.
    @PageModule("console.routes.explain")
    func explaining(_ context: PageContext) async throws -> some View {
        guard let question = questions[] else { return RouteViews.explaining(nil, nil) }
        return RouteViews.explaining(question, try await console.host.answer(to: question))
    }

    /// Notes the URL that the reader wants to know about.
    @Selector func explain(url: String, outside: Bool = false) {
        questions[] = RouteQuestion(url: url, isFromOutside: outside)
        console.events.postChosen(.explain)
    }
}
