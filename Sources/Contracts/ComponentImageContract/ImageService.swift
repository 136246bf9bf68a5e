public import ComponentKit

/// What ComponentImage offers: it tells what is in the file of a picture.
@LinkService("org.hslink.image/1")
public protocol ImageService: Sendable {
    /// Format, size and depth of a PNG, JPEG, GIF, BMP or WebP file, from its header. Blocks while it reads.
    func info(path: String) throws -> ImageInfo
}

/// What the header of a picture's file says about it. Values that the header of a format does not tell are nil.
@Model public struct ImageInfo: Hashable, Sendable {
    /// A file format, told by the file's content and never by its name.
    @Model public enum Format: String, CaseIterable, Hashable, Sendable {
        case png, jpeg, gif, bmp, webp
    }

    /// The file's format.
    public var format: Format
    /// Pixels from left to right, at least 1; for an animation those of its canvas.
    public var width: Int
    /// Pixels from top to bottom, at least 1; for an animation those of its canvas.
    public var height: Int
    /// Bits of one channel of a colour: 8 in most files, 1 in a black and white PNG, 16 in a deep one. With a palette
    /// the bits of the palette's colours; where channels differ (5, 6 and 5 bits in a BMP) the most of them.
    public var bitDepth: Int
    /// Channels of a pixel's colour, alpha counted: 1 gray, 2 gray and alpha, 3 colour, 4 colour and alpha (in JPEG:
    /// four inks). With a palette those of its colours.
    public var channels: Int
    /// Bits of an index into the palette; nil for a picture without one.
    public var paletteBitDepth: Int?
    /// Whether pixels can be transparent: an alpha channel, or a colour declared transparent.
    public var hasAlpha: Bool
    /// Whether there is more than one frame. Nil for a GIF whose first 256 KiB do not tell.
    public var isAnimated: Bool?
}
