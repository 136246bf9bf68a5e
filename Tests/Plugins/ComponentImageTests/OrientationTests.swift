import ComponentHost
import ComponentKit
import Foundation
import HostTestSupport
import NXKit
import TestSupport
import Testing

@testable import ComponentImage

/// What a number of Exif does with a picture that is red, green, blue and white by rows.
struct CameraPosition: Sendable, CustomTestStringConvertible {
    let number: UInt16
    /// The colours when the picture is upright, by rows.
    let colors: String
    let isSwapped: Bool

    var testDescription: String { "\(number)" }

    init(_ number: UInt16, _ colors: String, swapped: Bool = false) {
        (self.number, self.colors, isSwapped) = (number, colors, swapped)
    }

    static let all = [
        CameraPosition(1, "RGBW"), CameraPosition(2, "GRWB"), CameraPosition(3, "WBGR"), CameraPosition(4, "BWRG"),
        CameraPosition(5, "RBGW", swapped: true), CameraPosition(6, "BRWG", swapped: true),
        CameraPosition(7, "WGBR", swapped: true), CameraPosition(8, "GWRB", swapped: true),
        // These are none.
        CameraPosition(0, "RGBW"), CameraPosition(9, "RGBW"), CameraPosition(.max, "RGBW"),
    ]
}

@Suite("How cameras were held")
struct OrientationTests {
    private func orientation(_ bytes: [UInt8]) throws -> ExifOrientation {
        let file = try TemporaryFile(bytes)
        return ExifOrientation.read(jpeg: try FileBytes(path: file.path))
    }

    @Test("thumbnails are upright", .enabled(if: ThumbnailPlace.hasLibrary, "libgd is needed"))
    func upright() async throws {
        let place = try ThumbnailPlace()
        let pixels = try Pixels()
        let painting = try place.data.write(Painting.quarters(width: 600, height: 400), to: "quarters.png")
        let target = place.data.path(of: "quarters.jpg")
        try await place.withHost(files: [ThumbnailPlace.description, pixels.description]) { host in
            _ = try await host.call("ImageEditLink", "convert", ["path": .string(painting), "to": .string(target)])
            let plain = Array(try Data(contentsOf: URL(filePath: target)))
            for position in CameraPosition.all {
                let exif = Make.exif(position.number, isLittleEndian: position.number % 2 == 0)
                // libgd has written JFIF, before or after which Exif may be.
                let offset = position.number % 3 == 0 ? 2 : 20
                try place.write(plain.prefix(offset) + exif + plain.dropFirst(offset), to: "\(position.number).jpg")
            }
            let names = CameraPosition.all.map { "\($0.number).jpg" }
            let found = try await place.thumbnails(host, of: names)
            for position in CameraPosition.all {
                let picture = try #require(found["\(position.number).jpg"])
                #expect(picture.text == (position.isSwapped ? "image/jpeg 320 × 480" : "image/jpeg 480 × 320"))
                let colors = try await pixels.corners(of: picture, host).map { color in
                    // JPEG changes colours a little.
                    switch (color >> 16 & 0xFF > 128, color >> 8 & 0xFF > 128, color & 0xFF > 128) {
                    case (true, false, false): "R"
                    case (false, true, false): "G"
                    case (false, false, true): "B"
                    case (true, true, true): "W"
                    default: "?"
                    }
                }
                #expect(colors.joined() == position.colors, "\(position.number)")
            }
        }
    }

    @Test("Exif that is damaged, or none, leaves a picture as it is")
    func damaged() throws {
        let start: [UInt8] = [0xFF, 0xD8]
        let right = ExifOrientation(quarters: 1, isMirrored: false)
        let exif = Make.exif(6)
        #expect(try orientation(start + exif) == right)
        #expect(
            try orientation(start + Make.segment(0xE0, [1]) + Make.segment(0xE1, Array("http".utf8)) + exif) == right)
        for size in 0..<(start + exif).count - 8 {
            #expect(try orientation(Array((start + exif).prefix(size))) == .upright)
        }
        let many = [[UInt8]](repeating: Make.segment(0xE2, []), count: 300).flatMap(\.self)
        // The header of a picture is found behind the same.
        for before in [
            many, Make.segment(0xFE, [1, 2]), Make.segment(0xDB, []), [0, 0], [0xFF, 0, 7], [0xFF, 0xFF],
        ] {
            #expect(try orientation(start + before + exif) == right)
        }
        let others = [
            Make.segment(0xDA, []) + exif, [0xFF, 0xD9] + exif, Make.segment(0xE1, []),
            Make.segment(0xE1, Array("Exif\0\0".utf8)), [0xFF, 0xE1, 0, 0], [0xFF, 0xE1, 0, 1],
        ]
        for other in others { #expect(try orientation(start + other) == .upright) }
    }

    @Test("with other bytes anywhere, Exif says something or nothing")
    func random() throws {
        var random = SplitMix64(seed: 42)
        let whole = [0xFF, 0xD8] + Make.exif(6, isLittleEndian: true) + Make.jpeg().dropFirst(2)
        let file = try TemporaryFile(whole)
        var outcomes: Set<ExifOrientation> = []
        for _ in 0..<2000 {
            let place = Int.random(in: 0..<whole.count, using: &random)
            try file.write([UInt8.random(in: 0...255, using: &random)], at: place)
            outcomes.insert(ExifOrientation.read(jpeg: try FileBytes(path: file.path)))
            try file.write([whole[place]], at: place)
        }
        #expect(outcomes.count > 1)
    }
}
