import ComponentKit
import PageKit

/// Which pictures a gallery shows.
@Model
struct GalleryOptions: Sendable {
    /// The name of a folder in the component's data directory.
    var directory: String = "pictures"
}

/// What pages show of pictures, and the page with a gallery.
@LinkClass(provides: (any PageSource).self)
final class ImagePages: PageSource {
    private let folder: PictureFolder
    private let resources: Resources

    init(_ context: ComponentContext) {
        folder = PictureFolder(context: context)
        resources = context.resources
    }

    func pages() throws -> [PageFile] { try PageFile.all(in: resources) }

    /// The pictures in a folder.
    @PageModule("image.gallery")
    func gallery(_ context: PageContext, data: GalleryOptions = GalleryOptions()) throws -> some View {
        GalleryView.view(try folder.pictures(in: data.directory), of: data.directory)
    }
}
