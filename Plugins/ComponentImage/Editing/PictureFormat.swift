import ComponentImageContract
import ComponentKit

/// A format that pictures are written in.
enum PictureFormat {
    case png, jpeg, webp

    /// - Parameter name: of a file, with an ending.
    /// - Throws: when the ending is none of a format that is written.
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

    /// The function that reads it.
    static func reader(of format: ImageInfo.Format) -> String? {
        switch format {
        case .png: "gdImageCreateFromPngPtr"
        case .jpeg: "gdImageCreateFromJpegPtr"
        case .webp: "gdImageCreateFromWebpPtr"
        case .gif, .bmp: nil
        }
    }
}
