public import ComponentKit

/// The service of ComponentVideo that edits films of its library: the files in the folder `films` of the component's data
/// directory.
///
/// Nothing is encoded anew: samples are copied as they are, so nothing gets worse. Each method makes a new film in the
/// library, named after the first one, as in "clip cut.mp4", and keeps the others. It appears once it is complete.
///
/// Films are edited one after the other, with little memory, whatever their size. When a call is cancelled, or when its
/// deadline passes, nothing is left of the new film. All methods fail if there is no such film, if the library is full or
/// cannot be written to, or if the film is cut off or damaged; the message says which film and why. Films that continue in
/// fragments, that are encrypted, or that refer to other files can only be rotated.
///
/// `progress` is called with how much is done, from 0 to 1, in order, but not with every step. If it throws, the edit
/// ends, and nothing is left of the new film either.
@LinkService("org.hslink.video.edit/1")
public protocol FilmEditService: Sendable {
    /// Makes a film of the part between two times.
    ///
    /// The part begins exactly at the first time, rounded to 1/90,000 of a second or a finer unit of the film: the samples
    /// begin with the last key frame before it, and an edit list says from where on they are shown. Tracks that show
    /// nothing in the part are left out.
    ///
    /// - Parameters:
    ///   - name: The name of the film's file, as in "clip.mp4".
    ///   - from: When the part begins, in seconds.
    ///   - to: When it ends, in seconds; nil, or any time after the end, for the end of the film.
    ///   - progress: Is called with how much is done.
    /// - Throws: An error if nothing is between the two times.
    func cut(
        name: String, from: Double, to: Double?, progress: (@Sendable (Double) async throws -> Void)?
    ) async throws -> EditedFilm

    /// Makes a film of several films, one after the other.
    ///
    /// - Parameters:
    ///   - names: The names of 2 to 100 films. A film may be there several times.
    ///   - progress: Is called with how much is done.
    /// - Throws: An error if the films are not made alike: with the same tracks in the same order, whose sample
    ///   descriptions are equal byte for byte, with the same units of time, turned and scaled in the same way.
    func join(
        names: [String], progress: (@Sendable (Double) async throws -> Void)?
    ) async throws -> EditedFilm

    /// Makes a film whose pictures are shown turned clockwise. Only the numbers that say how they are shown differ.
    ///
    /// - Parameters:
    ///   - name: The name of the film's file.
    ///   - degrees: A multiple of 90.
    ///   - progress: Is called with how much is done.
    /// - Throws: An error if the film has no pictures, or if they are shown distorted or turned by other angles.
    func rotate(
        name: String, degrees: Int, progress: (@Sendable (Double) async throws -> Void)?
    ) async throws -> EditedFilm

    /// Makes a film of one track, such as the sound.
    ///
    /// - Parameters:
    ///   - name: The name of the film's file.
    ///   - track: The number of the track, as in `VideoTrack.id`.
    ///   - progress: Is called with how much is done.
    /// - Throws: An error if the film has no such track.
    func extract(
        name: String, track: UInt32, progress: (@Sendable (Double) async throws -> Void)?
    ) async throws -> EditedFilm

    /// Deletes a film that one of the other methods has made since the component was loaded. Blocks.
    ///
    /// - Parameter name: The name of the film's file.
    /// - Throws: An error if none has made it, or if it has been changed since.
    func remove(name: String) throws
}

/// A film that an edit has made.
@Model public struct EditedFilm: Hashable, Sendable {
    /// The name of its file in the library, as in "clip cut.mp4".
    public var name: String
    /// The properties of the film.
    public var film: VideoInfo
}
