import NXKit

/// The media header `mdhd` of a track (ISO/IEC 14496-12, section 8.4.2).
struct MediaHeader {
    let timescale: UInt32
    /// In `timescale`; nil when it does not tell.
    let duration: UInt64?
    /// ISO 639-2/T; nil when it is undetermined.
    let language: String?

    static func read(_ box: Box, _ boxes: BoxFile) throws(FileError) -> MediaHeader {
        var reader = try boxes.reader(box, upTo: 34)
        let header = try FullBoxHeader(timesOf: box.type, &reader)
        try reader.skip(2 * header.timeSize)
        return MediaHeader(
            timescale: try reader.timescale(of: box), duration: try header.duration(&reader),
            language: language(try reader.uint16()))
    }

    /// Three letters of five bits each. QuickTime's numbers below 0x400 are languages of the old Macintosh, where 0,
    /// English, is written for anything; 0x7FFF is unspecified.
    private static func language(_ code: UInt16) -> String? {
        let letters = [code >> 10 & 0x1F, code >> 5 & 0x1F, code & 0x1F]
        guard letters.allSatisfy({ 1...26 ~= $0 }) else { return nil }
        let text = String(letters.map { Character(Unicode.Scalar(UInt8($0) + 0x60)) })
        return text == "und" ? nil : text
    }
}
