import ComponentKit
import FilmContract
import NXKit

/// Makes the sound of films.
@Component(version: "1.0.0", layer: .business, requires: [.service((any FilmService).self)])
struct Sound {}

/// Silence.
@LinkClass
final class SoundLink {
    private let link: Link

    init(_ context: ComponentContext) { link = context.link }

    /// Returns silence as long as a film.
    @Selector func silence(film: String) throws -> [Double] {
        let length = try link.service(FilmServiceClient.self).length(name: film)
        return Array(repeating: 0, count: Length(seconds: length).seconds)
    }
}
