import ComponentKit
import ComponentVideoContract

/// Tells what is in a film from the boxes of its file.
@Component(version: "1.0.0", layer: .business)
struct ComponentVideo {}

/// Films in files.
@LinkClass("VideoLink", provides: (any VideoService).self)
final class VideoLink: VideoService {
    func probe(path: String) throws -> VideoInfo { try VideoInfo(Film.read(path: path)) }
}
