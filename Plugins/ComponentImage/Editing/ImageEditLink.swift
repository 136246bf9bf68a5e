import ComponentImageContract
import ComponentKit

/// Edits pictures in files, with libgd: each selector reads a PNG, JPEG or WebP file and writes another, in the format
/// that the new file's name indicates. Without libgd every call fails with the loader's message; `ImageLink` does not
/// need libgd. Because the selectors write files, URLs open them only while a user is signed in.
@LinkClass("ImageEditLink")
final class ImageEditLink {
    private let link: Link

    init(_ context: ComponentContext) { link = context.link }

    /// Scales a picture down to fit into `width` and `height`, and keeps the proportions; never enlarges it.
    @Route("studio://picture/thumbnail", tags: ["signed-in"])
    func thumbnail(path: String, to: String, width: Int, height: Int, quality: Int = 85) throws -> ImageInfo {
        try edit(path, to: to, quality: quality) { picture in try picture.fitting(width: width, height: height) }
    }

    /// Cuts out a rectangle, which must lie within the picture.
    @Selector func crop(
        path: String, to: String, x: Int, y: Int, width: Int, height: Int, quality: Int = 85
    ) throws -> ImageInfo {
        try edit(path, to: to, quality: quality) { picture in
            try picture.cut(x: x, y: y, width: width, height: height)
        }
    }

    /// Rotates a picture counterclockwise; the new corners are transparent.
    @Selector func rotate(path: String, to: String, degrees: Double, quality: Int = 85) throws -> ImageInfo {
        try edit(path, to: to, quality: quality) { picture in try picture.turned(by: degrees) }
    }

    /// Converts a picture to grayscale.
    @Selector func grayscale(path: String, to: String, quality: Int = 85) throws -> ImageInfo {
        try edit(path, to: to, quality: quality) { picture in try picture.gray() }
    }

    /// Writes the same picture in the format that the new file's name indicates.
    @Route("studio://picture/convert", tags: ["signed-in"])
    func convert(path: String, to: String, quality: Int = 85) throws -> ImageInfo {
        try edit(path, to: to, quality: quality) { picture in picture }
    }

    private func edit(
        _ path: String, to target: String, quality: Int, body: (Picture) throws -> Picture
    ) throws -> ImageInfo {
        let format = try PictureFormat(ofName: target)
        guard (1...100).contains(quality) else {
            throw LinkError(.payloadMismatch, message: "quality: expected 1 to 100, found \(quality)")
        }
        let picture = try body(try Picture(path: path, link))
        try PictureFile.write(try picture.encoded(as: format, quality: quality), to: target)
        return try ImageInfo.read(path: target)
    }
}
