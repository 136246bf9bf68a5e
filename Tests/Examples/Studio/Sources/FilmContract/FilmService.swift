public import ComponentKit

/// The films of the studio.
@LinkService("com.example.film/1")
public protocol FilmService: Sendable {
    /// Returns the length of a film in seconds.
    func length(name: String) throws -> Int
}
