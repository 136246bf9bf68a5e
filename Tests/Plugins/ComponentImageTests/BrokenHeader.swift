import ComponentImageContract
import NXKit
import Testing

/// A header that violates its standard, and the expected error.
struct BrokenHeader: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let code: FileError.Code
    let reason: String

    var testDescription: String { reason }

    init(_ bytes: [UInt8], _ code: FileError.Code, _ reason: String) {
        self.bytes = bytes
        self.code = code
        self.reason = reason
    }

    static let all = png + jpeg + gif + bmp + webp

    private static let end = Make.chunk("IEND", [])

    static let png = [
        BrokenHeader(Make.png(width: 0), .malformed, "width and height of 1 to 2147483647 were expected, found 0 × 1"),
        BrokenHeader(Make.png(width: 1 << 31), .malformed, "found 2147483648 × 1"),
        BrokenHeader(Make.png(depth: 3), .malformed, "colour type 2 with 3 bits"),
        BrokenHeader(Make.png(depth: 4), .malformed, "colour type 2 with 4 bits"),
        BrokenHeader(Make.png(depth: 16, color: 3), .malformed, "colour type 3 with 16 bits"),
        BrokenHeader(Make.png(color: 5), .malformed, "colour type 5 with 8 bits"),
        BrokenHeader(Make.png(interlace: 2), .malformed, "interlace methods (0, 0, 2) are not known"),
        BrokenHeader(Make.png(crc: 0x0123_4567), .malformed, "of 'IHDR' was expected, found 01234567"),
        BrokenHeader(
            Make.pngSignature + Make.chunk("CgBI", [UInt8](repeating: 0, count: 17)), .malformed, "found 'CgBI'"),
        BrokenHeader(Make.png(chunks: end), .malformed, "the chunk 'IDAT' was expected"),
        BrokenHeader(Make.png(chunks: Make.be32(0x8000_0000) + Array("tEXt".utf8)), .malformed, "found 2147483648"),
        BrokenHeader(
            Make.png(chunks: Make.be32(0x7FFF_FFFF) + Array("tEXt".utf8)), .truncated, "expected 8 bytes at byte"),
        BrokenHeader(
            Make.png(chunks: [[UInt8]](repeating: Make.chunk("tEXt", []), count: 10_001).flatMap { $0 }),
            .limitExceeded, "more than 10000 chunks"),
    ]

    static let jpeg = [
        BrokenHeader([0xFF, 0xD8, 0xFF, 0xD9], .malformed, "the picture ends (EOI)"),
        BrokenHeader([0xFF, 0xD8, 0xFF, 0xDA, 0, 2], .malformed, "a scan (SOS) begins"),
        BrokenHeader([0xFF, 0xD8, 0xFF, 0xD8], .malformed, "found the marker FF D8"),
        BrokenHeader([0xFF, 0xD8, 0xFF, 0xE0, 0, 1], .malformed, "at least 2 bytes was expected, found 1"),
        BrokenHeader([0xFF, 0xD8, 0xFF, 0xE0, 0, 2, 0x12], .truncated, "it ends at byte 7, before its frame header"),
        BrokenHeader(Make.jpeg(height: 0), .unsupported, "after the first scan (DNL)"),
        BrokenHeader(Make.jpeg(width: 0), .malformed, "a width of 1 to 65535 was expected, found 0"),
        BrokenHeader(Make.jpeg(precision: 1), .malformed, "a precision of 2 to 16 bits was expected, found 1"),
        BrokenHeader(Make.jpeg(length: 16), .malformed, "found 16 bytes with 3 components"),
        BrokenHeader(
            [0xFF, 0xD8] + [[UInt8]](repeating: [0xFF, 0xFE, 0, 2], count: 10_001).flatMap { $0 }, .limitExceeded,
            "more than 10000 segments"),
        BrokenHeader(
            [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 150_002), .limitExceeded, "more than 10000 segments"),
        BrokenHeader([0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 1000), .truncated, "before its frame header"),
    ]

    static let gif = [
        BrokenHeader(Make.gif(width: 0, [0x2C] + [UInt8](repeating: 0, count: 9)), .malformed, "found 0 × 1"),
        BrokenHeader(Make.gif([0x3B]), .malformed, "the file ends without one"),
        BrokenHeader(Make.gif([0x77]), .malformed, "an image or extension was expected, found 77"),
        BrokenHeader(
            Make.gif(
                [0x21, 0xFF]
                    + [[UInt8]](repeating: [255] + [UInt8](repeating: 1, count: 255), count: 1100).flatMap { $0 }),
            .limitExceeded, "more than 262144 bytes before its first image"),
    ]

    static let bmp = [
        BrokenHeader(Make.bmp(headerSize: 13), .unsupported, "was expected, found 13"),
        BrokenHeader(Make.bmp(headerSize: 4_000_000_000), .unsupported, "was expected, found 4000000000"),
        BrokenHeader(Make.bmp(width: 0), .malformed, "found 0 × 1"),
        BrokenHeader(Make.bmp(width: -5), .malformed, "found -5 × 1"),
        BrokenHeader(Make.bmp(planes: 2), .malformed, "one plane was expected, found 2"),
        BrokenHeader(Make.bmp(bits: 7), .malformed, "bits per pixel were expected, found 7"),
        BrokenHeader(Make.bmp(bits: 0, compression: 5), .unsupported, "its pixels are a PNG"),
        BrokenHeader(Make.bmp(bits: 0, compression: 4), .unsupported, "its pixels are a JPEG"),
        BrokenHeader(Make.bmp(bits: 16, compression: 3, masks: [0, 0, 0]), .malformed, "found only zeros"),
    ]

    static let webp = [
        BrokenHeader(Make.webp("ALPH", [UInt8](repeating: 0, count: 10)), .unsupported, "found 'ALPH'"),
        BrokenHeader(Make.webp("VP8L", [0x2F, 0, 0, 0]), .malformed, "at least 5 bytes was expected, found 4"),
        BrokenHeader(Make.webp("VP8L", [0x2E, 0, 0, 0, 0]), .malformed, "found 2E and version 0"),
        BrokenHeader(Make.webp("VP8L", [0x2F, 0, 0, 0, 0x20]), .malformed, "found 2F and version 1"),
        BrokenHeader(Make.webp("VP8 ", [1, 0, 0, 0x9D, 1, 0x2A, 1, 0, 1, 0]), .malformed, "a key frame was expected"),
        BrokenHeader(Make.webp("VP8 ", [0, 0, 0, 0x9D, 1, 0x2B, 1, 0, 1, 0]), .malformed, "found 9D 01 2B"),
        BrokenHeader(Make.webp("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0, 0xC0, 1, 0]), .malformed, "found 0 × 1"),
        BrokenHeader(
            Make.webp("VP8X", [0, 0, 0, 0, 255, 255, 255, 255, 255, 255]), .malformed, "found 16777216 × 16777216"),
    ]
}
