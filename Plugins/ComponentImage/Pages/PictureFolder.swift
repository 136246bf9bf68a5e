import ComponentImageContract
import ComponentKit
import Foundation
import NXKit

/// The pictures in a folder of the component's data directory.
struct PictureFolder: Sendable {
    private let context: ComponentContext
    private let thumbnails: Thumbnails

    /// The most pictures of a folder.
    static let mostPictures = 60
    /// The most files that are looked at, so that a folder of other files does not take long.
    static let mostFiles = 1000
    /// The largest picture without a thumbnail whose content is shown, in bytes.
    static let largestPicture: UInt64 = 256 << 10
    /// The most that is shown of all pictures, in bytes.
    static let mostBytes = 2 << 20

    init(_ context: ComponentContext) {
        self.context = context
        thumbnails = Thumbnails(context)
    }

    /// Reads a folder, and makes thumbnails of large pictures for some seconds at most. Blocks. A file is a picture by its
    /// content, whatever its name.
    ///
    /// - Parameter name: The name of the folder, from a page file.
    /// - Throws: `LinkError` if it is no name of a folder, if the folder cannot be read, or if there is no data directory.
    ///   The message does not contain the path of the folder.
    func pictures(in name: String) throws(LinkError) -> Gallery {
        let folder = try path(of: name)
        var gallery = Gallery()
        var shown = Shown()
        let files = try names(in: folder, called: name)
        for (index, file) in files.enumerated() {
            guard gallery.pictures.count < PictureFolder.mostPictures else {
                gallery.remark = "Only the first \(PictureFolder.mostPictures) pictures are shown."
                break
            }
            guard index < PictureFolder.mostFiles else {
                gallery.remark = "Only the first \(PictureFolder.mostFiles) files have been looked at."
                break
            }
            if let picture = picture(file, in: folder, &shown) { gallery.pictures.append(picture) }
        }
        gallery.isUnfinished = shown.isUnfinished
        return gallery
    }

    /// Returns the absolute path of a folder, which need not exist.
    ///
    /// - Throws: `LinkError` if it is no name of a folder, or if there is no data directory.
    func path(of name: String) throws(LinkError) -> String {
        guard name.isPlainName else {
            throw LinkError(
                domain: "ComponentImage", number: 1,
                message: "directory: expected the name of a folder, without a slash or a leading dot")
        }
        return "\(try context.dataDirectory())/\(name)"
    }

    /// Reads one picture of a folder. Blocks.
    ///
    /// - Parameters:
    ///   - name: The name of its file. It may come from a stranger.
    ///   - directory: The name of the folder.
    ///   - isShown: Whether the picture is read as well, or its thumbnail if it is large.
    /// - Returns: Nil if there is no such picture.
    /// - Throws: The errors of ``path(of:)``.
    func details(
        of name: String, in directory: String, isShown: Bool = false
    ) throws(LinkError) -> PictureDetails? {
        let folder = try path(of: directory)
        guard name.isPlainName else { return nil }
        let edited = EditedPictures(folder: folder)
        var details = PictureDetails(picture: Gallery.Picture(name: name), directory: directory)
        do throws(FileError) {
            let file = try FileBytes(path: "\(folder)/\(name)", followingLinks: false)
            let info = try ImageInfo.read(file)
            details.picture.info = info
            details.picture.size = file.size
            let isSwapped = info.format == .jpeg && ExifOrientation.read(jpeg: file).quarters % 2 == 1
            (details.width, details.height) = isSwapped ? (info.height, info.width) : (info.width, info.height)
            if isShown { (details.picture.content, details.isUnfinished) = try largeContent(file, info) }
        } catch {
            if [.unsupported, .notFound, .notRegularFile].contains(error.code) { return nil }
            details.picture.info = nil
            details.picture.problem = error.code.words
        }
        details.original = edited.original(of: name)
        details.versions = edited.versions(of: name)
        return details
    }

    /// Returns what the page of a picture shows of it, and whether its thumbnail is still to be made.
    private func largeContent(
        _ file: borrowing FileBytes, _ info: ImageInfo
    ) throws(FileError) -> (PictureContent?, isUnfinished: Bool) {
        if let type = info.format.pageType, PictureFolder.canBeShown(info), file.size <= PictureFolder.mostBytes {
            return (PictureContent(try PictureFile.read(file), type: type), false)
        }
        var shown = Shown()
        let content = try content(file, info, in: &shown)
        return (content, shown.isUnfinished)
    }

    /// Whether a browser has the memory for all the pixels.
    private static func canBeShown(_ info: ImageInfo) -> Bool {
        info.width * info.height <= ThumbnailMaker.limits.pixels
    }

    /// What a gallery shows already.
    private struct Shown {
        /// How much more there may be, in bytes.
        var room = PictureFolder.mostBytes
        var patience = Thumbnails.Patience()
        var isUnfinished = false
    }

    /// Returns the names of the files in a folder that can be shown, sorted; none if there is no folder.
    private func names(in folder: String, called name: String) throws(LinkError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).filter(\.isPlainName).sorted()
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            return []
        } catch {
            // The system's own message contains the path.
            let isForbidden = (error as? CocoaError)?.code == .fileReadNoPermission
            let reason = isForbidden ? "the host may not read it" : "it is not a folder, or the system cannot read it"
            throw LinkError(
                domain: "ComponentImage", number: 2, message: "the folder \(name) cannot be read: \(reason)")
        }
    }

    /// Describes a file; nil if it is not a picture.
    private func picture(_ name: String, in folder: String, _ shown: inout Shown) -> Gallery.Picture? {
        var picture = Gallery.Picture(name: name)
        do throws(FileError) {
            let file = try FileBytes(path: "\(folder)/\(name)", followingLinks: false)
            let info = try ImageInfo.read(file)
            picture.info = info
            picture.size = file.size
            picture.content = try content(file, info, in: &shown)
            shown.room -= picture.content?.bytes.count ?? 0
        } catch {
            // Other files may be in the folder, and files may go while it is read.
            if [.unsupported, .notFound, .notRegularFile].contains(error.code) { return nil }
            picture.info = nil
            picture.problem = error.code.words
        }
        return picture
    }

    /// Returns a thumbnail, or the picture itself if it is small or has none; nil if there is nothing that a page takes.
    private func content(
        _ file: borrowing FileBytes, _ info: ImageInfo, in shown: inout Shown
    ) throws(FileError) -> PictureContent? {
        if !ThumbnailMaker.isSmall(info, size: file.size) {
            switch thumbnails.thumbnail(of: file, info, &shown.patience) {
            case .ready(let thumbnail): return thumbnail.bytes.count <= shown.room ? thumbnail : nil
            case .later: shown.isUnfinished = true
            case .none: break
            }
        }
        guard let type = info.format.pageType, PictureFolder.canBeShown(info),
            file.size <= PictureFolder.largestPicture, file.size <= shown.room
        else { return nil }
        return PictureContent(try file.read(at: 0, upTo: Int(file.size)), type: type)
    }
}

/// What a gallery shows.
struct Gallery: Hashable, Sendable {
    /// A picture.
    struct Picture: Hashable, Sendable {
        /// The name of its file.
        var name: String
        /// What its header says; nil if it is damaged.
        var info: ImageInfo?
        /// The size of its file, in bytes.
        var size: UInt64 = 0
        /// What is shown of it; nil if pages do not take its format, or if there is too much.
        var content: PictureContent?
        /// Why it cannot be read, in one word; nil if it can.
        var problem: String?
    }

    /// The pictures by their names.
    var pictures: [Picture] = []
    /// What is left out; nil if nothing is.
    var remark: String?
    /// Whether there are more thumbnails to be made.
    var isUnfinished = false
}

/// What the page of a picture shows.
struct PictureDetails: Hashable, Sendable {
    var picture: Gallery.Picture
    /// The name of its folder.
    var directory: String
    /// The size in pixels as people see it, which for a photo may lie on its side in the file.
    var width = 0, height = 0
    /// The name of the picture that it was made from; nil if no edit has made it.
    var original: String?
    /// The names of the pictures that were made from it.
    var versions: [String] = []
    /// Whether its thumbnail is still to be made.
    var isUnfinished = false
}

extension ImageInfo.Format {
    /// The media type, if a page takes pictures of this format.
    var pageType: String? {
        switch self {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .gif: "image/gif"
        case .webp: "image/webp"
        case .bmp: nil
        }
    }
}

extension String {
    /// Whether this is the name of a file or folder that is not hidden, and that leads nowhere else.
    ///
    /// Bytes are compared, because a slash with a combining accent is another character than a slash. Control characters
    /// cannot be shown, and C would cut a path at the first NUL.
    var isPlainName: Bool {
        guard let first = utf8.first, first != UInt8(ascii: "."), !utf8.contains(UInt8(ascii: "/")) else {
            return false
        }
        return unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
