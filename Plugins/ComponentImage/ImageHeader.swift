import ComponentImageContract
import NXKit

/// The reader of one file format's header. A new format is one type, listed in `ImageInfo`.
protocol ImageHeader {
    /// Whether a file that begins with `start` is of this format.
    ///
    /// - Parameter start: The first 16 bytes, fewer where the file ends earlier.
    static func recognizes(_ start: [UInt8]) -> Bool

    /// Reads the header of a file that `recognizes` has accepted.
    ///
    /// - Throws: `truncated`, `malformed`, `unsupported` or `limitExceeded`, with the place in the file.
    static func read(_ file: borrowing FileBytes) throws(FileError) -> ImageInfo
}
