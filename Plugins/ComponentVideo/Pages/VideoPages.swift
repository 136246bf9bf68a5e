import ComponentKit
import PageKit

/// Which film a player shows until a person chooses another one.
@Model
struct PlayerOptions: Sendable {
    /// The name of the film's file in the library.
    var path: String
}

/// What pages show of films, and the page with a player.
@LinkClass(provides: (any PageSource).self)
final class VideoPages: PageSource {
    private struct Place: Hashable {
        var session: Session?
        var page: String
    }

    private let library: FilmLibrary
    private let resources: Resources
    private let events: Events
    /// The films that people have chosen, each on a page in a session.
    private let chosen = Lock<[Place: String]>([:])

    /// The most choices that are kept; then all are forgotten.
    private static let mostChoices = 1000

    init(_ context: ComponentContext) {
        library = FilmLibrary(context: context)
        resources = context.resources
        events = context.events
    }

    func pages() throws -> [PageFile] { try PageFile.all(in: resources) }

    /// A film of the library, and what its tracks are.
    @PageModule("video.player")
    func player(_ context: PageContext, data: PlayerOptions) throws -> some View {
        let name = chosen.withLock { $0[Place(session: .current, page: context.page)] } ?? data.path
        guard name.isPrintable else { throw VideoPages.refusal("a film's name has no control characters") }
        do {
            return FilmViews.player(try library.film(named: name), name: name)
        } catch let declined as RouteDeclined {
            // No route is asked here that another one could stand in for.
            throw VideoPages.refusal(declined.reason)
        }
    }

    /// The films of the library, each of which the player on the same page can show.
    @PageModule("video.library")
    func films(_ context: PageContext) throws -> some View {
        FilmViews.library(try library.shelf(), on: context.page)
    }

    /// Lets the player on a page show a film of the library, in the session of the call.
    ///
    /// - Throws: `LinkError` if the library has no such film, or the file is not a film.
    @Selector func show(name: String, page: String) throws {
        do {
            _ = try library.film(named: name)
        } catch let declined as RouteDeclined {
            throw VideoPages.refusal(declined.reason)
        }
        chosen.withLock { chosen in
            let place = Place(session: .current, page: page)
            if chosen[place] == nil, chosen.count >= VideoPages.mostChoices { chosen = [:] }
            chosen[place] = name
        }
        events.post(PageModuleChanged("video.player", page: page, sessionOnly: true))
    }

    private static func refusal(_ reason: String) -> LinkError {
        LinkError(domain: "ComponentVideo", number: 1, message: reason)
    }
}
