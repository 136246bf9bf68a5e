package import ComponentKit

#manifest(
    """
    {
      "name": "ComponentImage", "version": "1.0.0", "layer": "business",
      "summary": "Tells format and size of a picture from the header of its file.",
      "classes": [
        { "name": "ImageLink", "summary": "Pictures in files.",
          "selectors": [
            { "name": "info", "parameters": { "path": "string" }, "result": "map",
              "summary": "format, width, height, bitDepth, channels, hasAlpha of a PNG, JPEG, GIF, BMP or WebP file." }
          ] }
      ]
    }
    """)

/// What others may ask about pictures.
final class ImageLink: LinkClass {
    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<ImageLink>] = [
        .method("info") { _, payload in
            try ImageInfo.read(path: payload.string("path")).payload
        }
    ]
}

extension ImageInfo {
    /// What callers get.
    package var payload: Payload {
        [
            "format": .string(format.rawValue), "width": Payload(width), "height": Payload(height),
            "bitDepth": Payload(bitDepth), "channels": Payload(channels),
            "paletteBitDepth": paletteBitDepth.payload, "hasAlpha": .bool(hasAlpha),
            "isAnimated": isAnimated.payload,
        ]
    }
}
