import ComponentKit
import ComponentVideoContract
import PageKit

/// Describes a film by reading the boxes of its file, and edits films without encoding them anew.
@Component(version: "1.0.0", layer: .business, posts: [PageModuleChanged.self])
struct ComponentVideo {
    /// Edits the films of the library, for all classes of the component.
    private let editor: FilmEditor

    init(_ context: ComponentContext) { editor = FilmEditor(FilmLibrary(context: context)) }

    /// Returns the editor of the component that has been loaded.
    ///
    /// - Throws: `LinkError` if it has been stopped.
    static func editor(_ context: ComponentContext) throws(LinkError) -> FilmEditor {
        guard let component = context.component as? ComponentVideo else {
            throw LinkError(.stopped, message: "ComponentVideo has been stopped")
        }
        return component.editor
    }

    func stop() { editor.end() }
}

/// Films in files.
@LinkClass("VideoLink", provides: (any VideoService).self)
final class VideoLink: VideoService {
    private let library: FilmLibrary

    init(_ context: ComponentContext) { library = FilmLibrary(context: context) }

    func probe(path: String) throws -> VideoInfo { try VideoInfo(Film.read(path: path)) }

    func film(name: String) throws -> VideoInfo { try VideoInfo(library.film(named: name)) }
}

extension VideoInfo {
    /// Converts a film to the model of the contract.
    init(_ film: Film) {
        let picture = film.tracks.first { $0.kind == .video }
        self.init(
            brand: film.brand, duration: film.durationSeconds, isFragmented: film.isFragmented,
            isComplete: film.isComplete, width: picture?.width, height: picture?.height,
            frameRate: picture?.frameRate?.value, codecs: film.tracks.compactMap { $0.codecString ?? $0.codec },
            tracks: film.tracks.map { VideoTrack($0) })
    }
}

extension VideoTrack {
    /// Converts a track to the model of the contract.
    init(_ track: Track) {
        self.init(
            id: track.id, kind: track.kind, codec: track.codec, codecString: track.codecString,
            duration: track.duration.seconds, width: track.width, height: track.height, rotation: track.rotation,
            displayWidth: track.displayWidth, displayHeight: track.displayHeight, frameRate: track.frameRate?.value,
            sampleRate: track.sampleRate, channels: track.channels,
            language: track.language)
    }
}
