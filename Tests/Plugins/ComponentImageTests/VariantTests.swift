import ComponentImageContract
import TestSupport
import Testing

@testable import ComponentImage

@Suite("Variants of headers that the samples do not have")
struct VariantTests {
    private func read(_ bytes: [UInt8]) throws -> ImageInfo {
        let file = try TemporaryFile(bytes)
        return try ImageInfo.read(path: file.path)
    }

    @Test(
        "the color type of a PNG decides on channels and depth",
        arguments: [
            (16 as UInt8, 0 as UInt8, 16, 1, nil as Int?, false), (2, 0, 2, 1, nil, false), (8, 2, 8, 3, nil, false),
            (1, 3, 8, 3, 1, false), (8, 3, 8, 3, 8, false), (16, 4, 16, 2, nil, true), (16, 6, 16, 4, nil, true),
        ])
    func colorTypes(
        depth: UInt8, color: UInt8, bitDepth: Int, channels: Int, palette: Int?, alpha: Bool
    ) throws {
        let info = try read(Make.png(width: 70_000, depth: depth, color: color, interlace: 1))
        let expected = ImageInfo(
            format: .png, width: 70_000, height: 1, bitDepth: bitDepth, channels: channels, paletteBitDepth: palette,
            hasAlpha: alpha, isAnimated: false)
        #expect(info == expected)
    }

    @Test("a PNG with one frame of animation is still", arguments: [(1 as UInt32, false), (2, true)])
    func animatedPNG(frames: UInt32, isAnimated: Bool) throws {
        let control = Make.chunk("acTL", Make.be32(frames) + Make.be32(0))
        let info = try read(Make.png(chunks: control + Make.pngPixels))
        #expect(info.isAnimated == isAnimated)
    }

    @Test(
        "every frame header of a JPEG is read",
        arguments: [0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF, 0xDE] as [UInt8])
    func frameHeaders(marker: UInt8) throws {
        let info = try read(Make.jpeg(marker: marker, precision: 12))
        #expect(info.width == 2)
        #expect(info.height == 3)
        #expect(info.bitDepth == 12)
        #expect(info.channels == 3)
    }

    @Test(
        "other segments of a JPEG are skipped", arguments: [0xC4, 0xC8, 0xCC, 0xDB, 0xFE, 0xE1] as [UInt8])
    func passedOver(marker: UInt8) throws {
        // Its content looks like a frame header of 257 × 257.
        let segment: [UInt8] = [0xFF, marker, 0, 10, 8, 1, 1, 1, 1, 1, 1, 1]
        let info = try read([0xFF, 0xD8] + segment + Make.jpeg(width: 9).dropFirst(2))
        #expect(info.width == 9)
    }

    @Test("fill bytes may precede a marker of a JPEG", arguments: [0, 1, 13, 14, 15, 16, 17, 31, 32, 100])
    func fillBytes(count: Int) throws {
        let fill = [UInt8](repeating: 0xFF, count: count)
        let info = try read([0xFF, 0xD8] + fill + Make.jpeg(width: 9).dropFirst(2))
        #expect(info.width == 9)
    }

    @Test(
        "bytes between the segments of a JPEG that belong to none are skipped",
        arguments: [[0], [0x12, 0x34], [0xFF, 0x00], [0xFF, 0xFF, 0x00], [UInt8](repeating: 7, count: 1000)]
            as [[UInt8]])
    func strayBytes(stray: [UInt8]) throws {
        let info = try read([0xFF, 0xD8, 0xFF, 0xFE, 0, 2] + stray + Make.jpeg(width: 9).dropFirst(2))
        #expect(info.width == 9)
    }

    @Test("a GIF whose screen has no size has that of its first image")
    func noScreen() throws {
        let image: [UInt8] = [0x2C, 2, 0, 0, 0, 4, 1, 3, 0, 0, 2, 1, 0, 0, 0x3B]
        let info = try read(Make.gif(width: 0, image))
        #expect(info.width == 262 && info.height == 1)
    }

    @Test("a GIF without a global palette uses that of its first image, and its transparency")
    func localPalette() throws {
        let control: [UInt8] = [0x21, 0xF9, 4, 1, 0, 0, 0, 0]
        let image: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0x82] + [UInt8](repeating: 0, count: 24)
        let info = try read(Make.gif(width: 500, control + image + [2, 1, 0, 0, 0x3B]))
        let expected = ImageInfo(
            format: .gif, width: 500, height: 1, bitDepth: 8, channels: 3, paletteBitDepth: 3, hasAlpha: true,
            isAnimated: false)
        #expect(info == expected)
    }

    @Test(
        "a GIF is animated if a second image follows",
        arguments: [([0x3B] as [UInt8], false), ([], false), ([0x2C], true), ([0x21, 0xF9, 0, 0x2C], true)])
    func secondImage(rest: [UInt8], isAnimated: Bool) throws {
        let image: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 1, 0, 0]
        #expect(try read(Make.gif(image + rest)).isAnimated == isAnimated)
    }

    @Test("a GIF with a long first image may or may not be animated")
    func longFirstImage() throws {
        let image: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2]
        let data = [[UInt8]](repeating: [255] + [UInt8](repeating: 0, count: 255), count: 1100).flatMap { $0 }
        #expect(try read(Make.gif(image + data + [0, 0x2C])).isAnimated == nil)
    }

    @Test(
        "a BMP has the depth of its masks, or that of its layout",
        arguments: [
            (24 as UInt16, 0 as UInt32, [] as [UInt32], 8, 3, nil as Int?), (16, 0, [], 5, 3, nil),
            (16, 3, [0xF800, 0x7E0, 0x1F], 6, 3, nil), (32, 3, [0x3FF0_0000, 0xFFC00, 0x3FF], 10, 3, nil),
            (32, 6, [0xFF, 0xFF00, 0xFF0000, 0xFF00_0000], 8, 4, nil), (32, 0, [], 8, 3, nil), (1, 0, [], 8, 3, 1),
            (8, 1, [], 8, 3, 8),
        ])
    func bitmaps(
        bits: UInt16, compression: UInt32, masks: [UInt32], bitDepth: Int, channels: Int, palette: Int?
    ) throws {
        let info = try read(Make.bmp(height: .min, bits: bits, compression: compression, masks: masks))
        let expected = ImageInfo(
            format: .bmp, width: 1, height: 1 << 31, bitDepth: bitDepth, channels: channels, paletteBitDepth: palette,
            hasAlpha: channels == 4, isAnimated: false)
        #expect(info == expected)
    }

    @Test("a short header of OS/2 2.x is enough", arguments: [16 as UInt32, 64])
    func shortHeader(size: UInt32) throws {
        let info = try read(Array(Make.bmp(headerSize: size, width: 300, height: 200).prefix(14 + 16)))
        #expect(info.width == 300)
        #expect(info.height == 200)
    }

    @Test("the largest WebP headers are read")
    func largest() throws {
        let lossy = try read(Make.webp("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0xFF, 0xFF, 0xFE, 0x7F]))
        #expect((lossy.width, lossy.height) == (16383, 16382))
        let lossless = try read(Make.webp("VP8L", [0x2F, 0xFF, 0xFF, 0xFF, 0x1F]))
        #expect((lossless.width, lossless.height) == (16384, 16384))
        #expect(lossless.hasAlpha)
        let extended = try read(Make.webp("VP8X", [0x12, 0, 0, 0, 255, 255, 255, 254, 0, 0]))
        #expect((extended.width, extended.height) == (16_777_216, 255))
        #expect(extended.isAnimated == true)
        #expect(extended.channels == 4)
    }
}
