import ComponentImageContract
import ComponentKit
import Glibc
import NXKit

/// The class `GD` that `gd.hslink.json` describes.
struct PictureLibrary: Sendable {
    let link: Link
    /// When its functions are waited for no longer; nil for no limit.
    var deadline: ContinuousClock.Instant?

    /// Calls a function, and blocks.
    ///
    /// - Throws: What is wrong with the arguments, or the loader's message when libgd is missing.
    func call(_ function: String, _ arguments: borrowing Payload) throws(LinkError) -> Payload {
        guard let deadline else { return try link.callAndWait("GD", function, arguments) }
        let rest = ContinuousClock.now.duration(to: deadline)
        guard rest > .zero else {
            throw LinkError(.deadlineExceeded, message: "libgd has taken too long for the picture")
        }
        return try link.callAndWait("GD", function, arguments, timeout: rest)
    }
}

/// The files that are not read, because they would take too much memory.
struct PictureLimits: Sendable {
    /// The most pixels. Each takes 4 bytes, and up to 8 while a file is read.
    var pixels: Int
    /// The largest file, in bytes.
    var bytes: UInt64

    /// For a picture that is edited: about a gigabyte.
    static let editing = PictureLimits(pixels: 1 << 28, bytes: 256 << 20)
}

/// A picture in memory: a handle of libgd.
struct Picture {
    private let library: PictureLibrary
    private let image: Payload
    let width: Int
    let height: Int

    /// Reads a file.
    ///
    /// - Throws: An error that says what is wrong with the file, or the loader's message when libgd is missing.
    init(path: String, _ link: Link) throws {
        let file = try FileBytes(path: path)
        try self.init(file, try ImageInfo.read(file), library: PictureLibrary(link: link), limits: .editing)
    }

    /// Reads a file that is open.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - info: What its header says.
    ///   - library: Where it is read.
    ///   - limits: The limits beyond which the file is refused.
    /// - Throws: The errors of ``init(path:_:)``.
    init(_ file: borrowing FileBytes, _ info: ImageInfo, library: PictureLibrary, limits: PictureLimits) throws {
        guard let reader = PictureFormat.reader(of: info.format) else {
            throw LinkError(.payloadMismatch, message: "path: expected a PNG, JPEG or WebP file, found \(info.format)")
        }
        guard info.width * info.height <= limits.pixels else {
            throw LinkError(.payloadMismatch, message: "path: the picture has more than \(limits.pixels) pixels")
        }
        let bytes = try PictureFile.read(file, largest: limits.bytes)
        if info.format == .jpeg { try JPEGScans.check(bytes) }
        let image = try library.call(reader, ["data": .bytes(bytes)])
        guard !image.isNull else {
            throw LinkError(.methodFailed, message: "libgd cannot read \(file.path): the file is damaged")
        }
        self.init(image, width: info.width, height: info.height, library)
        _ = try library.call("gdImagePaletteToTrueColor", ["im": image])
        try keepAlpha()
    }

    private init(_ image: Payload, width: Int, height: Int, _ library: PictureLibrary) {
        self.image = image
        self.width = width
        self.height = height
        self.library = library
    }

    /// Keeps transparency instead of painting over it.
    private func keepAlpha() throws {
        _ = try library.call("gdImageAlphaBlending", ["im": image, "blending": 0])
        _ = try library.call("gdImageSaveAlpha", ["im": image, "save": 1])
    }

    private func made(_ image: Payload, width: Int, height: Int) throws -> Picture {
        guard !image.isNull else { throw LinkError(.methodFailed, message: "libgd has no memory for the picture") }
        let picture = Picture(image, width: width, height: height, library)
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
            try library.call("gdImageCreateTrueColor", ["sx": Payload(newWidth), "sy": Payload(newHeight)]),
            width: newWidth, height: newHeight)
        _ = try library.call(
            "gdImageCopyResampled",
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
            try library.call("gdImageCrop", ["src": image, "crop": rectangle]), width: width, height: height)
    }

    /// How many pixels a picture has once it is turned. A long one has many times as many as before.
    static func pixels(width: Int, height: Int, turnedBy degrees: Double) -> Double {
        let angle = degrees.truncatingRemainder(dividingBy: 360) * .pi / 180
        let (sine, cosine) = (abs(sin(angle)), abs(cos(angle)))
        let (width, height) = (Double(width), Double(height))
        return (width * cosine + height * sine) * (width * sine + height * cosine)
    }

    func turned(by degrees: Double) throws -> Picture {
        guard degrees.isFinite else { throw LinkError(.payloadMismatch, message: "degrees: expected a finite number") }
        // A square has twice as many if it is turned by 45 degrees.
        let most = 2 * PictureLimits.editing.pixels
        guard Picture.pixels(width: width, height: height, turnedBy: degrees) <= Double(most) else {
            throw LinkError(
                .payloadMismatch, message: "degrees: the turned picture would have more than \(most) pixels")
        }
        // Fully transparent in libgd: 127 in the highest byte.
        let image = try library.call(
            "gdImageRotateInterpolated",
            ["src": image, "angle": .double(degrees.truncatingRemainder(dividingBy: 360)), "bgcolor": 0x7F00_0000])
        return try made(image, width: width, height: height)
    }

    /// Returns the picture as a camera was held.
    func upright(_ orientation: ExifOrientation) throws -> Picture {
        var picture = self
        if orientation.quarters > 0 {
            let isSwapped = orientation.quarters % 2 == 1
            picture = try made(
                // libgd turns counterclockwise.
                try library.call(
                    "gdImageRotateInterpolated",
                    ["src": image, "angle": .double(Double(360 - 90 * orientation.quarters)), "bgcolor": 0]),
                width: isSwapped ? height : width, height: isSwapped ? width : height)
        }
        if orientation.isMirrored { _ = try library.call("gdImageFlipHorizontal", ["im": picture.image]) }
        return picture
    }

    func gray() throws -> Picture {
        _ = try library.call("gdImageGrayScale", ["src": image])
        return self
    }

    /// Returns the picture encoded as a file.
    func encoded(as format: PictureFormat, quality: Int) throws -> [UInt8] {
        let answer =
            switch format {
            case .png: try library.call("gdImagePngPtr", ["im": image])
            case .jpeg: try library.call("gdImageJpegPtr", ["im": image, "quality": Payload(quality)])
            case .webp: try library.call("gdImageWebpPtrEx", ["im": image, "quality": Payload(quality)])
            }
        guard let bytes = try answer.bytesIfPresent("return"), !bytes.isEmpty else {
            throw LinkError(.methodFailed, message: "libgd cannot write this picture in that format")
        }
        return bytes
    }
}

/// A format in which pictures can be written.
enum PictureFormat: String, CaseIterable, Sendable {
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

    /// The format in which a picture is written that was read in this one; nil if pictures of that format are not read.
    init?(of format: ImageInfo.Format) {
        switch format {
        case .png: self = .png
        case .jpeg: self = .jpeg
        case .webp: self = .webp
        case .gif, .bmp: return nil
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
