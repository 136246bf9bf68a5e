import ComponentKit
import PageKit

/// Which film a player shows.
@Model
struct PlayerOptions: Sendable {
    /// The name of the film's file in the library.
    var path: String
}

/// What pages show of films, and the page with a player.
@LinkClass(provides: (any PageSource).self)
final class VideoPages: PageSource {
    private let library: FilmLibrary
    private let resources: Resources

    init(_ context: ComponentContext) {
        library = FilmLibrary(context: context)
        resources = context.resources
    }

    func pages() throws -> [PageFile] { try PageFile.all(in: resources) }

    /// A film of the library, and what its tracks are.
    @PageModule("video.player")
    func player(_ context: PageContext, data: PlayerOptions) throws -> some View {
        guard data.path.isPrintable else { throw VideoPages.refusal("a film's name has no control characters") }
        do {
            return FilmViews.player(try library.film(named: data.path), name: data.path)
        } catch let declined as RouteDeclined {
            // No route is asked here that another one could stand in for.
            throw VideoPages.refusal(declined.reason)
        }
    }

    /// The films of the library, each of which can be opened.
    @PageModule("video.library")
    func films(_ context: PageContext) throws -> some View { FilmViews.library(try library.shelf()) }

    private static func refusal(_ reason: String) -> LinkError {
        LinkError(domain: "ComponentVideo", number: 1, message: reason)
    }
}
