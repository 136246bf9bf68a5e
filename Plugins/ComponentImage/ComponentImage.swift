import ComponentImageContract
import ComponentKit
import NXServiceContract
import NXUIContract

/// Reads the format and the size of a picture from the header of its file, edits pictures, and fetches them from the
/// web.
@Component(
    version: "1.0.0", layer: .business,
    requires: [.service((any WebService).self, optional: true), .service((any UIService).self, optional: true)])
struct ComponentImage {}

/// Pictures in files, and from the web.
@LinkClass("ImageLink", provides: (any ImageService).self)
final class ImageLink: ImageService {
    private let fetcher: PictureFetcher

    init(_ context: ComponentContext) { fetcher = PictureFetcher(context) }

    func info(path: String) throws -> ImageInfo { try ImageInfo.read(path: path) }

    func fetch(url: String, placeholder: Bool?) async throws -> FetchedPicture {
        try await fetcher.fetch(url, placeholder: placeholder ?? false)
    }
}
