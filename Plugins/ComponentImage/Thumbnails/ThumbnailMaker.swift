import ComponentImageContract
import ComponentKit
import NXKit

/// Makes small pictures with libgd.
struct ThumbnailMaker: Sendable {
    let link: Link

    /// The longest side of a thumbnail, in pixels: the width of a card on a page with three columns.
    static let longestSide = 480
    /// The largest thumbnail, in bytes: as many as a gallery shows are together not too much for a page.
    static let mostBytes = PictureFolder.mostBytes / PictureFolder.mostPictures
    /// The pictures that are read: a quarter of a gigabyte of memory at most.
    static let limits = PictureLimits(pixels: 1 << 25, bytes: 32 << 20)

    /// Smaller ones, if the first has too many bytes. The last one never has, whatever it shows.
    private static let sides = [longestSide, 320, 160, 80]
    private static let quality = 75

    /// Whether the picture is shown as it is.
    static func isSmall(_ info: ImageInfo, size: UInt64) -> Bool {
        max(info.width, info.height) <= longestSide && size <= mostBytes
    }

    /// Whether there can be a thumbnail. An animation would stop.
    static func canRead(_ info: ImageInfo, size: UInt64) -> Bool {
        PictureFormat.reader(of: info.format) != nil && info.isAnimated != true && size <= limits.bytes
            && info.width * info.height <= limits.pixels
    }

    /// Makes a thumbnail: PNG for a picture that can be transparent, and for another PNG if it is small enough; JPEG for
    /// all others. Blocks.
    ///
    /// - Parameters:
    ///   - file: The picture.
    ///   - info: What its header says.
    ///   - deadline: When it has taken too long.
    /// - Throws: The errors of ``Picture``, and `LinkError` with the code `deadlineExceeded`.
    func thumbnail(
        of file: borrowing FileBytes, _ info: ImageInfo, until deadline: ContinuousClock.Instant
    ) throws -> [UInt8] {
        let orientation = info.format == .jpeg ? ExifOrientation.read(jpeg: file) : .upright
        let formats: [PictureFormat] = info.hasAlpha ? [.png] : info.format == .png ? [.png, .jpeg] : [.jpeg]
        let library = PictureLibrary(link: link, deadline: deadline)
        var picture = try Picture(file, info, library: library, limits: ThumbnailMaker.limits)
        for side in ThumbnailMaker.sides {
            picture = try picture.fitting(width: side, height: side)
            let shown = try picture.upright(orientation)
            for format in formats {
                let bytes = try shown.encoded(as: format, quality: ThumbnailMaker.quality)
                if bytes.count <= ThumbnailMaker.mostBytes { return bytes }
            }
        }
        throw LinkError(.methodFailed, message: "no thumbnail of \(file.path) is small enough")
    }
}
