import ComponentKit
import PageKit

/// Which pictures a gallery shows.
@Model
struct GalleryOptions: Sendable {
    /// The name of a folder in the component's data directory.
    var directory: String = "pictures"
}

/// Which picture a page is about: the values of the page `picture`.
@Model
struct PictureValues: Sendable {
    /// The name of its file.
    var name: String
    /// The name of its folder in the component's data directory.
    var directory: String = "pictures"

    static let usualDirectory = "pictures"
}

/// What pages show of pictures, the pages with a gallery and about a picture, and the edits that people choose there.
@LinkClass(provides: (any PageSource).self)
final class ImagePages: PageSource {
    private let folder: PictureFolder
    private let editor: PictureEditor
    private let resources: Resources
    private let events: Events

    init(_ context: ComponentContext) {
        folder = PictureFolder(context)
        resources = context.resources
        events = context.events
        editor = PictureEditor(context.link) { [events] modules in
            for module in modules { events.post(PageModuleChanged(module)) }
        }
    }

    func pages() throws -> [PageFile] { try PageFile.all(in: resources) }

    // MARK: - Modules

    /// The pictures in a folder, each of which leads to its page. Of large ones it shows thumbnails, as soon as they are
    /// made.
    @PageModule("image.gallery")
    func gallery(_ context: PageContext, data: GalleryOptions = GalleryOptions()) throws -> some View {
        let gallery = try folder.pictures(in: data.directory)
        if gallery.isUnfinished { askAgain(context) }
        return GalleryView.view(gallery, of: data.directory)
    }

    /// A picture, what is known of it, and what was made from it.
    @PageModule("image.picture")
    func picture(_ context: PageContext, data: PictureValues) throws -> some View {
        let details = try details(of: data, on: context, isShown: true)
        if details.isUnfinished { askAgain(context) }
        let path = "\(try folder.path(of: data.directory))/\(data.name)"
        return PictureView.details(details, editor.progress(of: path))
    }

    /// The forms that edit a picture.
    @PageModule("image.picture.edit")
    func edits(_ context: PageContext, data: PictureValues) throws -> some View {
        let details = try details(of: data, on: context)
        guard let info = details.picture.info else { return Text("A damaged picture cannot be edited.").node }
        if let reason = editor.reasonAgainst(info, size: details.picture.size) { return Text(reason).node }
        return PictureView.edits(details).node
    }

    /// - Throws: `PageError.unknownPage` if there is no such picture.
    private func details(
        of values: PictureValues, on context: PageContext, isShown: Bool = false
    ) throws -> PictureDetails {
        do throws(LinkError) {
            let found = try folder.details(of: values.name, in: values.directory, isShown: isShown)
            if let found { return found }
        } catch  where error.domain.isEmpty {
            // There is no data directory.
            throw error
        } catch {}
        throw PageError.unknownPage(id: context.page, similar: nil)
    }

    /// The page shows what there is, and asks again at once.
    private func askAgain(_ context: PageContext) {
        events.post(
            PageModuleChanged(context.module, page: context.page, section: context.section, sessionOnly: true))
    }

    // MARK: - What people choose

    /// Cuts a rectangle, in pixels, out of a picture. The result is a new picture beside it, which is shown then.
    @Selector func crop(
        name: String, directory: String = "pictures", x: Int, y: Int, width: Int, height: Int
    ) throws -> ActionOutcome {
        try make(.crop(x: x, y: y, width: width, height: height), of: name, in: directory)
    }

    /// Turns a picture counterclockwise. The result is a new picture beside it, which is shown then.
    @Selector func rotate(name: String, directory: String = "pictures", degrees: Double) throws -> ActionOutcome {
        try make(.rotate(degrees: degrees), of: name, in: directory)
    }

    /// Converts a picture to grayscale. The result is a new picture beside it, which is shown then.
    @Selector func grayscale(name: String, directory: String = "pictures") throws -> ActionOutcome {
        try make(.grayscale, of: name, in: directory)
    }

    /// Writes a picture as `png`, `jpeg` or `webp`. The result is a new picture beside it, which is shown then.
    @Selector func convert(name: String, directory: String = "pictures", format: String) throws -> ActionOutcome {
        guard let format = PictureFormat(rawValue: format) else {
            throw PageError.invalidValue(field: "format", reason: "Choose png, jpeg or webp.")
        }
        return try make(.convert(format), of: name, in: directory)
    }

    /// Scales a picture down until no side has more than `longest` pixels. The result is a new picture beside it, which is
    /// shown then.
    @Selector func thumbnail(name: String, directory: String = "pictures", longest: Int) throws -> ActionOutcome {
        try make(.thumbnail(longest: longest), of: name, in: directory)
    }

    /// Deletes a picture that one of the other selectors has made, and leads back to the original. Other pictures are
    /// refused.
    @Selector func undo(name: String, directory: String = "pictures") throws -> ActionOutcome {
        let path = try path(of: name, in: directory)
        let original = try sayingWhy { try editor.undo(name, in: path) }
        let isThere = try folder.details(of: original, in: directory) != nil
        return ActionOutcome(page: isThere ? PictureView.page(of: original, in: directory) : "gallery")
    }

    private func make(_ edit: PictureEdit, of name: String, in directory: String) throws -> ActionOutcome {
        let path = try path(of: name, in: directory)
        let new = try sayingWhy { try editor.make(edit, of: name, in: path) }
        return ActionOutcome(page: PictureView.page(of: new, in: directory))
    }

    /// Tells people why the editor refuses something, in its words, which are sentences without paths.
    private func sayingWhy<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as LinkError where error.domain == "ComponentImage" {
            throw PageError.actionFailed(message: error.message, forPeople: error.message)
        }
    }

    /// Returns the path of a picture's folder, if the name cannot lead out of it.
    private func path(of name: String, in directory: String) throws -> String {
        guard name.isPlainName else {
            throw LinkError(
                domain: "ComponentImage", number: 1,
                message: "name: expected the name of a picture, without a slash or a leading dot")
        }
        return try folder.path(of: directory)
    }
}
