import ComponentKit
import PageKit

/// Which film a player shows until a person chooses another one.
@Model
struct PlayerOptions: Sendable {
    /// The name of the film's file in the library.
    var path: String
}

/// Which film of a library a player on the same page shows until a person chooses another one.
@Model
struct LibraryOptions: Sendable {
    /// The name of the film's file; nil if there is no player.
    var path: String?
}

/// What pages show of films, and the page with a player.
@LinkClass(provides: (any PageSource).self)
final class VideoPages: PageSource {
    private let library: FilmLibrary
    private let resources: Resources
    private let events: Events
    /// The films that people have chosen, each on a page in a session.
    private let chosen = Lock<[FilmPlace: String]>([:])
    /// The edits that people have begun.
    private let desk: FilmDesk

    /// The most choices that are kept; then all are forgotten.
    private static let mostChoices = 1000

    init(_ context: ComponentContext) throws {
        desk = FilmDesk(try ComponentVideo.editor(context))
        library = FilmLibrary(context: context)
        resources = context.resources
        events = context.events
    }

    func pages() throws -> [PageFile] { try PageFile.all(in: resources) }

    /// A film of the library, and what its tracks are.
    @PageModule("video.player")
    func player(_ context: PageContext, data: PlayerOptions) throws -> some View {
        let (film, name) = try shownFilm(context, data)
        return FilmViews.player(film, name: name)
    }

    /// Tools that make a new film of the one that the player on the same page shows.
    @PageModule("video.editor")
    func editor(_ context: PageContext, data: PlayerOptions) throws -> some View {
        let (film, name) = try shownFilm(context, data)
        let status = desk.status(at: FilmPlace(session: .current, page: context.page))
        return FilmEditViews.editor(film, name: name, page: context.page, status: status)
    }

    private func shownFilm(_ context: PageContext, _ data: PlayerOptions) throws -> (film: Film, name: String) {
        let name = chosenFilm(on: context.page) ?? data.path
        guard name.isPrintable else { throw VideoPages.refusal("a film's name has no control characters") }
        do {
            return (try library.film(named: name), name)
        } catch let declined as RouteDeclined {
            // No route is asked here that another one could stand in for.
            throw VideoPages.refusal(declined.reason)
        }
    }

    /// The film that a person has chosen on a page in this session; nil if none has been chosen.
    private func chosenFilm(on page: String) -> String? {
        chosen.withLock { $0[FilmPlace(session: .current, page: page)] }
    }

    /// The films of the library, each of which the player on the same page can show.
    @PageModule("video.library")
    func films(_ context: PageContext, data: LibraryOptions = LibraryOptions()) throws -> some View {
        FilmViews.library(
            try library.shelf(), on: context.page, shown: chosenFilm(on: context.page) ?? data.path)
    }

    /// Lets the player on a page show a film of the library, in the session of the call.
    ///
    /// - Throws: `PageError` if the library has no such film, `LinkError` if the file is not a film.
    @Selector func show(name: String, page: String) throws {
        do {
            _ = try library.film(named: name)
        } catch let declined as RouteDeclined {
            throw VideoPages.refusal(declined.reason, "The film cannot be shown")
        }
        chosen.withLock { chosen in
            let place = FilmPlace(session: .current, page: page)
            if chosen[place] == nil, chosen.count >= VideoPages.mostChoices { chosen = [:] }
            chosen[place] = name
        }
        postShown(on: page)
    }

    // MARK: - Editing

    /// Makes a film of the part between two times in seconds, while the page shows how far it has come.
    ///
    /// - Throws: `PageError` if nothing is between the times, or if a film is being edited on the page already.
    @Selector func trim(name: String, page: String, from: Double, to: Double) async throws {
        guard to > from else {
            throw PageError.invalidValue(field: "to", reason: "Write a time after \(from.writtenText).")
        }
        try await begin(.cut(name, from: from, to: to), on: page)
    }

    /// Makes a film that is shown turned clockwise, while the page shows how far it has come.
    ///
    /// - Throws: `PageError` if a film is being edited on the page already.
    @Selector func rotate(name: String, page: String, degrees: Int) async throws {
        try await begin(.rotate(name, degrees: degrees), on: page)
    }

    /// Ends the edit that is running on a page in the session of the call.
    @Selector func cancelEdit(page: String) { desk.cancel(at: FilmPlace(session: .current, page: page)) }

    /// Deletes the film that the last edit on a page has made, in the session of the call. A player that shows it shows
    /// what its page names again.
    ///
    /// - Throws: `PageError` if it has made none, or if the film has been changed since.
    @Selector func undoEdit(page: String) throws {
        let place = FilmPlace(session: .current, page: page)
        let name: String
        do {
            name = try desk.undo(at: place)
        } catch let error as LinkError where error.domain == "ComponentVideo" {
            throw VideoPages.refusal(error.message, "The edit is not undone")
        }
        chosen.withLock { chosen in
            if chosen[place].map({ Array($0.utf8) == Array(name.utf8) }) == true { chosen[place] = nil }
        }
        events.post(PageModuleChanged("video.library"))
        postShown(on: page)
    }

    private func begin(_ edit: FilmEdit, on page: String) async throws {
        let place = FilmPlace(session: .current, page: page)
        do {
            try await desk.begin(edit, at: place) { [events, desk] in
                // Progress is reported on a thread that belongs to no session.
                Session.with(place.session) {
                    events.post(PageModuleChanged("video.editor", page: page, sessionOnly: true))
                }
                if case .made? = desk.status(at: place) { events.post(PageModuleChanged("video.library")) }
            }
        } catch let error as LinkError where error.domain == "ComponentVideo" {
            throw VideoPages.refusal(error.message, "There is no new film")
        }
    }

    /// Lets a page of the session ask again for what shows its film.
    private func postShown(on page: String) {
        for module in ["video.player", "video.editor", "video.library"] {
            events.post(PageModuleChanged(module, page: page, sessionOnly: true))
        }
    }

    /// Tells people why an action is refused.
    ///
    /// - Parameters:
    ///   - reason: Why, without the path of a file.
    ///   - outcome: What has not been done.
    private static func refusal(_ reason: String, _ outcome: String) -> PageError {
        .actionFailed(message: reason, forPeople: "\(outcome): \(reason).")
    }

    private static func refusal(_ reason: String) -> LinkError {
        LinkError(domain: "ComponentVideo", number: 1, message: reason)
    }
}
