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
    private let events: Events

    init(_ context: ComponentContext) {
        folder = PictureFolder(context)
        resources = context.resources
        events = context.events
    }

    func pages() throws -> [PageFile] { try PageFile.all(in: resources) }

    /// The pictures in a folder. Of large ones it shows thumbnails, as soon as they are made.
    @PageModule("image.gallery")
    func gallery(_ context: PageContext, data: GalleryOptions = GalleryOptions()) throws -> some View {
        let gallery = try folder.pictures(in: data.directory)
        if gallery.isUnfinished {
            // The page shows what there is, and asks again at once.
            events.post(
                PageModuleChanged(
                    context.module, page: context.page, section: context.section, sessionOnly: true))
        }
        return GalleryView.view(gallery, of: data.directory)
    }
}
