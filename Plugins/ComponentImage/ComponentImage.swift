import ComponentImageContract
import ComponentKit

/// Reads the format and the size of a picture from the header of its file.
@Component(version: "1.0.0", layer: .business)
struct ComponentImage {}

/// Pictures in files.
@LinkClass("ImageLink", provides: (any ImageService).self)
final class ImageLink: ImageService {
    func info(path: String) throws -> ImageInfo { try ImageInfo.read(path: path) }
}
