public import ComponentKit

/// The service of ComponentImage, which describes picture files, also from the web.
@LinkService("org.hslink.image/1")
public protocol ImageService: Sendable {
    /// Returns the format, size and depth of a PNG, JPEG, GIF, BMP or WebP file, read from its header. Blocks while
    /// reading.
    ///
    /// The route is not public: a URL from outside must not choose the files that the host reads.
    @Route("studio://picture")
    func info(path: String) throws -> ImageInfo

    /// Fetches a picture from the web into the component's cache, through NXService, and describes it.
    ///
    /// If the web cannot be reached, a copy that was fetched before is the answer. The file stays until the space is
    /// needed for others: copy it to keep it.
    ///
    /// - Parameters:
    ///   - url: An http or https URL of a PNG, JPEG, GIF, BMP or WebP file, of at most 16 MiB.
    ///   - placeholder: Whether NXUI's placeholder is the answer if the picture cannot be had; nil for no.
    /// - Throws: ``ImageError``.
    func fetch(url: String, placeholder: Bool?) async throws -> FetchedPicture
}

/// A picture from the web, in a file.
@Model public struct FetchedPicture: Hashable, Sendable {
    /// The absolute path of the file.
    public var path: String
    /// What the file contains.
    public var info: ImageInfo
    /// Why it is not the picture as it is on the web now: it is an earlier copy or the placeholder. Nil if it is.
    public var reason: String?
    /// Whether it is the placeholder.
    public var isPlaceholder: Bool
}

/// The reason ComponentImage has no picture.
@Model public enum ImageError: Error, Hashable, Sendable {
    /// No component fetches from the web: NXService is missing or cannot be loaded.
    case noWeb(reason: String)
    /// The picture could not be fetched.
    case notFetched(reason: String)
    /// The fetched file is not a picture.
    case notAPicture(reason: String)
    /// The picture could not be written to the cache.
    case notWritten(reason: String)
}

extension ImageError: CustomStringConvertible {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .noWeb(let reason): "no component can fetch from the web: \(reason)"
        case .notFetched(let reason), .notAPicture(let reason): reason
        case .notWritten(let reason): "the picture cannot be written to the cache: \(reason)"
        }
    }
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
