import ComponentImageContract
import NXKit

/// A reader for the header of one file format. To add a format, write one type and list it in `ImageInfo`.
protocol ImageHeader {
    /// Returns whether a file that begins with `start` has this format.
    ///
    /// - Parameter start: The first 16 bytes, or fewer if the file is shorter.
    static func recognizes(_ start: [UInt8]) -> Bool

    /// Reads the header of a file that `recognizes` has accepted.
    ///
    /// - Throws: `truncated`, `malformed`, `unsupported` or `limitExceeded`, with the position in the file.
    static func read(_ file: borrowing FileBytes) throws(FileError) -> ImageInfo
}

/// Only headers are read, never the picture: a file that is cut off after its header is still described.
extension ImageInfo {
    /// Reads the header of the file at `path`.
    ///
    /// Blocks; may be called from any thread. Reads a few hundred kB at most, and usually less than one kB.
    ///
    /// - Parameter path: An absolute path, or one relative to the working directory.
    /// - Throws: Errors from `FileBytes.init(path:)`; `unsupported` if the content has none of the formats; `truncated`
    ///   or `malformed` if the header is cut off or violates its standard.
    static func read(path: String) throws(FileError) -> ImageInfo { try read(try FileBytes(path: path)) }

    /// Reads the header of a file that is open, as ``read(path:)`` does.
    static func read(_ file: borrowing FileBytes) throws(FileError) -> ImageInfo {
        let start = try file.read(at: 0, upTo: 16)
        guard !start.isEmpty else {
            throw file.error(.truncated, "it is empty; copy the file again")
        }
        for header in headers where header.recognizes(start) {
            return try header.read(file)
        }
        let bytes = start.prefix(8).map(\.hexadecimal).joined(separator: " ")
        let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
        throw file.error(.unsupported, "it begins with \(bytes), which matches none of \(names)")
    }

    /// All formats. Their signatures are mutually exclusive, so the order does not matter.
    private static var headers: [any ImageHeader.Type] {
        [PNGHeader.self, JPEGHeader.self, GIFHeader.self, BMPHeader.self, WebPHeader.self]
    }
}
