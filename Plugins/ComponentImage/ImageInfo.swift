package import NXKit

/// What the header of a picture's file says about it.
///
/// Only headers are read, never the picture: a file that is cut off behind its header is still described. Values
/// that the header of a format does not tell are nil.
package struct ImageInfo: Hashable, Sendable {
    /// A file format, told by the file's content and never by its name.
    package enum Format: String, CaseIterable, Hashable, Sendable {
        case png, jpeg, gif, bmp, webp
    }

    /// The file's format.
    package var format: Format
    /// Pixels from left to right, at least 1; for an animation those of its canvas.
    package var width: Int
    /// Pixels from top to bottom, at least 1; for an animation those of its canvas.
    package var height: Int
    /// Bits of one channel of a colour: 8 in most files, 1 in a black and white PNG, 16 in a deep one. With a palette
    /// the bits of the palette's colours; where channels differ (5, 6 and 5 bits in a BMP) the most of them.
    package var bitDepth: Int
    /// Channels of a pixel's colour, alpha counted: 1 gray, 2 gray and alpha, 3 colour, 4 colour and alpha (in JPEG:
    /// four inks). With a palette those of its colours.
    package var channels: Int
    /// Bits of an index into the palette; nil for a picture without one.
    package var paletteBitDepth: Int?
    /// Whether pixels can be transparent: an alpha channel, or a colour declared transparent.
    package var hasAlpha: Bool
    /// Whether there is more than one frame. Nil for a GIF whose first 256 KiB do not tell.
    package var isAnimated: Bool?

    /// A description with these values.
    package init(
        format: Format, width: Int, height: Int, bitDepth: Int, channels: Int, paletteBitDepth: Int?, hasAlpha: Bool,
        isAnimated: Bool?
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.bitDepth = bitDepth
        self.channels = channels
        self.paletteBitDepth = paletteBitDepth
        self.hasAlpha = hasAlpha
        self.isAnimated = isAnimated
    }

    /// Reads the header of the file at `path`.
    ///
    /// Blocking, from any thread. Reads at most some hundred kB, mostly less than one.
    ///
    /// - Parameter path: An absolute path, or one relative to the working directory.
    /// - Throws: As `FileBytes.init(path:)`; `unsupported` when the content is of none of the formats;
    ///   `truncated` or `malformed` when the header is cut off or breaks its standard.
    package static func read(path: String) throws(FileError) -> ImageInfo {
        let file = try FileBytes(path: path)
        let start = try file.read(at: 0, upTo: 16)
        guard !start.isEmpty else {
            throw file.error(.truncated, "it is empty; copy the file again")
        }
        for header in headers where header.recognizes(start) {
            return try header.read(file)
        }
        let bytes = start.prefix(8).map(\.hexadecimal).joined(separator: " ")
        let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
        throw file.error(.unsupported, "it begins with \(bytes), which is none of \(names)")
    }

    /// All formats. Their signatures exclude each other, so the order does not matter.
    private static var headers: [any ImageHeader.Type] {
        [PNGHeader.self, JPEGHeader.self, GIFHeader.self, BMPHeader.self, WebPHeader.self]
    }
}
