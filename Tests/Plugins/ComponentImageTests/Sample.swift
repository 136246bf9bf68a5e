import ComponentImageContract
import TestSupport
import Testing

@testable import ComponentImage

/// A sample file, and its properties according to `identify` and `file`; see Samples/README.md.
struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let info: ImageInfo

    var testDescription: String { name }

    var path: String { Samples.path(of: name) }

    func bytes() throws -> [UInt8] { try Samples.bytes(of: name) }

    private init(
        _ name: String, _ format: ImageInfo.Format, depth: Int = 8, channels: Int = 3, palette: Int? = nil,
        alpha: Bool = false, animated: Bool = false
    ) {
        self.name = name
        // All samples have the same size, which no thumbnail in them has.
        info = ImageInfo(
            format: format, width: 37, height: 23, bitDepth: depth, channels: channels, paletteBitDepth: palette,
            hasAlpha: alpha, isAnimated: animated)
    }

    static let all = [
        Sample("rgb8.png", .png),
        Sample("rgb16.png", .png, depth: 16),
        Sample("gray8.png", .png, channels: 1),
        Sample("gray1.png", .png, depth: 1, channels: 1),
        Sample("rgba8.png", .png, channels: 4, alpha: true),
        Sample("palette4.png", .png, palette: 4),
        Sample("transparent.png", .png, palette: 8, alpha: true),
        Sample("animated.png", .png, animated: true),
        Sample("baseline.jpg", .jpeg),
        Sample("gray.jpg", .jpeg, channels: 1),
        Sample("cmyk.jpg", .jpeg, channels: 4),
        Sample("progressive-exif.jpg", .jpeg),
        Sample("still.gif", .gif, palette: 3),
        Sample("animated.gif", .gif, palette: 1, animated: true),
        Sample("rgb24.bmp", .bmp),
        Sample("topdown.bmp", .bmp),
        Sample("os2.bmp", .bmp, palette: 4),
        Sample("palette8.bmp", .bmp, palette: 8),
        Sample("rgba32-v5.bmp", .bmp, channels: 4, alpha: true),
        // The green channel of 5, 6 and 5 bits; identify reports those of the decoded picture.
        Sample("rgb565.bmp", .bmp, depth: 6),
        Sample("lossy.webp", .webp),
        Sample("lossless.webp", .webp),
        Sample("lossless-alpha.webp", .webp, channels: 4, alpha: true),
        Sample("lossy-alpha.webp", .webp, channels: 4, alpha: true),
        Sample("animated.webp", .webp, animated: true),
    ]
}
