public import ComponentKit

/// What ComponentImage offers: it tells what is in the file of a picture.
@LinkService("org.hslink.image/1")
public protocol ImageService: Sendable {
    /// Format, size and depth of a PNG, JPEG, GIF, BMP or WebP file, from its header. Blocks while it reads.
    func info(path: String) throws -> ImageInfo
}
