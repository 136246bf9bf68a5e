import ComponentImageContract
import ComponentKit
import NXKit

/// A picture in memory: a handle of libgd, through the class `GD` that `gd.hslink.json` describes.
struct Picture {
    private let link: Link
    private let image: Payload
    let width: Int
    let height: Int

    /// More pixels would take more than a gigabyte.
    private static let maximumPixels = 1 << 28

    /// Reads a file.
    ///
    /// - Throws: An error that says what is wrong with the file, or the loader's message when libgd is missing.
    init(path: String, _ link: Link) throws {
        let info = try ImageInfo.read(path: path)
        guard let reader = PictureFormat.reader(of: info.format) else {
            throw LinkError(.payloadMismatch, message: "path: expected a PNG, JPEG or WebP file, found \(info.format)")
        }
        guard info.width * info.height <= Picture.maximumPixels else {
            throw LinkError(
                .payloadMismatch, message: "path: the picture has more than \(Picture.maximumPixels) pixels")
        }
        let bytes = try PictureFile.read(path)
        let image = try link.callAndWait("GD", reader, ["data": .bytes(bytes)])
        guard !image.isNull else {
            throw LinkError(.methodFailed, message: "libgd cannot read \(path): the file is damaged")
        }
        self.init(image, width: info.width, height: info.height, link)
        _ = try link.callAndWait("GD", "gdImagePaletteToTrueColor", ["im": image])
        try keepAlpha()
    }

    private init(_ image: Payload, width: Int, height: Int, _ link: Link) {
        self.image = image
        self.width = width
        self.height = height
        self.link = link
    }

    /// Keeps transparency instead of painting over it.
    private func keepAlpha() throws {
        _ = try link.callAndWait("GD", "gdImageAlphaBlending", ["im": image, "blending": 0])
        _ = try link.callAndWait("GD", "gdImageSaveAlpha", ["im": image, "save": 1])
    }

    private func made(_ image: Payload, width: Int, height: Int) throws -> Picture {
        guard !image.isNull else { throw LinkError(.methodFailed, message: "libgd has no memory for the picture") }
        let picture = Picture(image, width: width, height: height, link)
        try picture.keepAlpha()
        return picture
    }

    func fitting(width: Int, height: Int) throws -> Picture {
        guard width > 0, height > 0 else {
            throw LinkError(
                .payloadMismatch, message: "width, height: expected at least 1, found \(width) and \(height)")
        }
        let scale = min(Double(width) / Double(self.width), Double(height) / Double(self.height), 1)
        let newWidth = max(Int((Double(self.width) * scale).rounded()), 1)
        let newHeight = max(Int((Double(self.height) * scale).rounded()), 1)
        let target = try made(
            try link.callAndWait(
                "GD", "gdImageCreateTrueColor", ["sx": Payload(newWidth), "sy": Payload(newHeight)]),
            width: newWidth, height: newHeight)
        _ = try link.callAndWait(
            "GD", "gdImageCopyResampled",
            [
                "dst": target.image, "src": image, "dstX": 0, "dstY": 0, "srcX": 0, "srcY": 0,
                "dstW": Payload(newWidth), "dstH": Payload(newHeight), "srcW": Payload(self.width),
                "srcH": Payload(self.height),
            ])
        return target
    }

    func cut(x: Int, y: Int, width: Int, height: Int) throws -> Picture {
        guard x >= 0, y >= 0, width > 0, height > 0, x <= self.width - width, y <= self.height - height else {
            throw LinkError(
                .payloadMismatch,
                message:
                    "expected a rectangle within \(self.width) x \(self.height) pixels, found \(width) x \(height) "
                    + "at \(x), \(y)")
        }
        let rectangle: Payload = [
            "x": Payload(x), "y": Payload(y), "width": Payload(width), "height": Payload(height),
        ]
        return try made(
            try link.callAndWait("GD", "gdImageCrop", ["src": image, "crop": rectangle]), width: width, height: height)
    }

    func turned(by degrees: Double) throws -> Picture {
        guard degrees.isFinite else { throw LinkError(.payloadMismatch, message: "degrees: expected a finite number") }
        // Fully transparent in libgd: 127 in the highest byte.
        let image = try link.callAndWait(
            "GD", "gdImageRotateInterpolated",
            ["src": image, "angle": .double(degrees.truncatingRemainder(dividingBy: 360)), "bgcolor": 0x7F00_0000])
        return try made(image, width: width, height: height)
    }

    func gray() throws -> Picture {
        _ = try link.callAndWait("GD", "gdImageGrayScale", ["src": image])
        return self
    }

    /// Returns the picture encoded as a file.
    func encoded(as format: PictureFormat, quality: Int) throws -> [UInt8] {
        let answer =
            switch format {
            case .png: try link.callAndWait("GD", "gdImagePngPtr", ["im": image])
            case .jpeg: try link.callAndWait("GD", "gdImageJpegPtr", ["im": image, "quality": Payload(quality)])
            case .webp: try link.callAndWait("GD", "gdImageWebpPtrEx", ["im": image, "quality": Payload(quality)])
            }
        guard let bytes = try answer.bytesIfPresent("return"), !bytes.isEmpty else {
            throw LinkError(.methodFailed, message: "libgd cannot write this picture in that format")
        }
        return bytes
    }
}

/// A format in which pictures can be written.
enum PictureFormat {
    case png, jpeg, webp

    /// - Parameter name: The name of a file, with its extension.
    /// - Throws: `LinkError` with code `payloadMismatch` if no format with this extension can be written.
    init(ofName name: String) throws(LinkError) {
        let ending = name.split(separator: "/").last?.split(separator: ".").last?.lowercased()
        switch ending {
        case "png": self = .png
        case "jpg", "jpeg": self = .jpeg
        case "webp": self = .webp
        default:
            throw LinkError(
                .payloadMismatch, message: "to: expected a name that ends with .png, .jpg, .jpeg or .webp")
        }
    }

    /// The function of libgd that reads this format.
    static func reader(of format: ImageInfo.Format) -> String? {
        switch format {
        case .png: "gdImageCreateFromPngPtr"
        case .jpeg: "gdImageCreateFromJpegPtr"
        case .webp: "gdImageCreateFromWebpPtr"
        case .gif, .bmp: nil
        }
    }
}
