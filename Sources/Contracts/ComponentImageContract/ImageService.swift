public import ComponentKit

/// The service of ComponentImage, which describes picture files.
@LinkService("org.hslink.image/1")
public protocol ImageService: Sendable {
    /// Returns the format, size and depth of a PNG, JPEG, GIF, BMP or WebP file, read from its header. Blocks while
    /// reading.
    ///
    /// The route is not public: a URL from outside must not choose the files that the host reads.
    @Route("studio://picture")
    func info(path: String) throws -> ImageInfo
}

/// The properties of a picture, read from the header of its file. Values that the header does not contain are nil.
@Model public struct ImageInfo: Hashable, Sendable {
    /// A file format, detected by the file's content and never by its name.
    @Model public enum Format: String, CaseIterable, Hashable, Sendable {
        case png, jpeg, gif, bmp, webp
    }

    /// The file's format.
    public var format: Format
    /// The width in pixels, at least 1; for an animation, of its canvas.
    public var width: Int
    /// The height in pixels, at least 1; for an animation, of its canvas.
    public var height: Int
    /// The bits of one channel of a colour: 8 in most files, 1 in a black and white PNG, 16 in a deep one. With a
    /// palette, the bits of the palette's colours; if channels differ (5, 6 and 5 bits in a BMP), the largest number.
    public var bitDepth: Int
    /// The channels of a pixel's colour, including alpha: 1 gray, 2 gray and alpha, 3 colour, 4 colour and alpha (in
    /// JPEG: four inks). With a palette, the channels of its colours.
    public var channels: Int
    /// The bits of an index into the palette; nil for a picture without a palette.
    public var paletteBitDepth: Int?
    /// Whether pixels can be transparent: an alpha channel, or a colour declared transparent.
    public var hasAlpha: Bool
    /// Whether there is more than one frame. Nil for a GIF whose first 256 KiB do not show it.
    public var isAnimated: Bool?
}
