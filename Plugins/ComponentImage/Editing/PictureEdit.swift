import PageKit

/// A change of a picture that people choose on a page.
enum PictureEdit: Hashable, Sendable {
    /// Cuts out a rectangle.
    case crop(x: Int, y: Int, width: Int, height: Int)
    /// Turns the picture counterclockwise.
    case rotate(degrees: Double)
    case grayscale
    /// Writes the picture in another format.
    case convert(PictureFormat)
    /// Scales the picture down until no side is longer, in pixels.
    case thumbnail(longest: Int)

    /// What people read while it is done.
    var title: String {
        switch self {
        case .crop: "Cropping"
        case .rotate: "Rotating"
        case .grayscale: "Converting to grayscale"
        case .convert(let format): "Converting to \(format.rawValue.uppercased())"
        case .thumbnail: "Making a thumbnail"
        }
    }

    /// The word for it in the name of the new file.
    private var word: String {
        switch self {
        case .crop: "crop"
        case .rotate: "rotated"
        case .grayscale: "gray"
        case .convert: "converted"
        case .thumbnail: "small"
        }
    }

    /// The format of the new file; nil for that of the original.
    var format: PictureFormat? { if case .convert(let format) = self { format } else { nil } }

    /// Checks that it can be done with a picture of this size, in pixels.
    ///
    /// - Throws: `PageError.invalidValue` with the field of the form that has to be changed.
    func check(width: Int, height: Int) throws(PageError) {
        func check(_ field: String, _ value: Int, in range: ClosedRange<Int>) throws(PageError) {
            guard !range.contains(value) else { return }
            throw .invalidValue(
                field: field,
                reason: "Write a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        switch self {
        case .crop(let x, let y, let newWidth, let newHeight):
            try check("x", x, in: 0...width - 1)
            try check("y", y, in: 0...height - 1)
            try check("width", newWidth, in: 1...width - x)
            try check("height", newHeight, in: 1...height - y)
        case .rotate(let degrees):
            guard degrees.isFinite else { throw .invalidValue(field: "degrees", reason: "Write a number.") }
            guard Picture.pixels(width: width, height: height, turnedBy: degrees) <= PictureEdit.mostTurned else {
                throw .invalidValue(
                    field: "degrees", reason: "The picture would become too large. Write 90, 180 or 270.")
            }
        case .thumbnail(let longest): try check("longest", longest, in: 1...max(width, height))
        case .grayscale, .convert: break
        }
    }

    /// Returns the changed picture, whose memory may be that of `picture`. Blocks.
    ///
    /// - Throws: The errors of ``Picture``.
    func apply(to picture: Picture) throws -> Picture {
        switch self {
        case .crop(let x, let y, let width, let height):
            try picture.cut(x: x, y: y, width: width, height: height)
        case .rotate(let degrees): try picture.turned(by: degrees)
        case .grayscale: try picture.gray()
        case .convert: picture
        case .thumbnail(let longest): try picture.fitting(width: longest, height: longest)
        }
    }

    /// The name of the new file: that of the original with a word, and with a number from the second on.
    ///
    /// - Parameters:
    ///   - original: The name of the original's file.
    ///   - format: The format of the new file.
    ///   - number: Which one it is of those with the same word, from 1 on.
    func name(from original: String, format: PictureFormat, number: Int) -> String {
        let bytes = Array(original.utf8)
        let end = bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        var stem = String(decoding: bytes[..<end], as: UTF8.self)
        while stem.utf8.count > PictureEdit.longestStem { stem.removeLast() }
        let ending = format == .jpeg ? "jpg" : format.rawValue
        return "\(stem)-\(word)\(number == 1 ? "" : "-\(number)").\(ending)"
    }

    /// The most pixels of a turned picture. A square has twice as many if it is turned by 45 degrees.
    private static let mostTurned = Double(2 * ThumbnailMaker.limits.pixels)

    /// In bytes. With what is added to it, and to that for the hidden file beside it, a name has at most 255.
    private static let longestStem = 200
}
