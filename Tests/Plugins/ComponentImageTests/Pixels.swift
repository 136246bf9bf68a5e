import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

/// Reads pixels of pictures with libgd, through a description of its own.
struct Pixels {
    private let directory: TemporaryDirectory

    var description: URL { URL(filePath: directory.path(of: "pixels.hslink.json")) }

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write(
            """
            {
              "name": "pixels", "version": "1.0.0", "library": ["libgd.so.3"], "class": "Pixels",
              "declarations": [
                "typedef struct gdImageStruct gdImage;",
                "gdImage *gdImageCreateFromPngPtr(int size, void *data);",
                "gdImage *gdImageCreateFromJpegPtr(int size, void *data);",
                "int gdImageGetTrueColorPixel(gdImage *im, int x, int y); void gdImageDestroy(gdImage *im);"
              ],
              "annotations": {
                "gdImageCreateFromPngPtr": { "data": "bytes[size] copied" },
                "gdImageCreateFromJpegPtr": { "data": "bytes[size] copied" }
              },
              "handles": { "gdImage": "gdImageDestroy" }
            }
            """, to: "pixels.hslink.json")
    }

    /// The colours near the four corners, by rows: from 0, opaque, to 127 in the highest byte, then red, green and blue.
    func corners(of picture: ShownPicture, _ host: LinkHost) async throws -> [UInt32] {
        let reader = picture.type == "image/png" ? "gdImageCreateFromPngPtr" : "gdImageCreateFromJpegPtr"
        let image = try await host.call("Pixels", reader, ["data": .bytes(picture.bytes)])
        var corners: [UInt32] = []
        for (x, y) in [(1, 1), (3, 1), (1, 3), (3, 3)] {
            let place: Payload = [
                "im": image, "x": Payload(picture.width * x / 4), "y": Payload(picture.height * y / 4),
            ]
            let color = try await host.call("Pixels", "gdImageGetTrueColorPixel", place)
            corners.append(try color.value(as: UInt32.self))
        }
        return corners
    }
}
