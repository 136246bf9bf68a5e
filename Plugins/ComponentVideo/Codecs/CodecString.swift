import NXKit

/// Codec strings with profile and level, in the form of the `codecs` parameter (RFC 6381, section 3).
///
/// Each function reads the beginning of a decoder's configuration and throws `truncated` if that is too short.
enum CodecString {
    /// H.264: profile, constraints and level of `avcC` (ISO/IEC 14496-15, section 5.3.3), as in "avc1.64001F".
    static func avc(_ format: FourCC, _ reader: inout ByteReader) throws(FileError) -> String {
        try reader.skip(1)
        return "\(format)." + (try reader.run(of: 3)).map(\.hexadecimal).joined()
    }

    /// H.265: `hvcC` (ISO/IEC 14496-15, section 8.3.3 and annex E), as in "hvc1.1.6.L93.90".
    static func hevc(_ format: FourCC, _ reader: inout ByteReader) throws(FileError) -> String {
        try reader.skip(1)
        let profile = try reader.uint8()
        let compatibility = try reader.uint32()
        let constraints = try reader.run(of: 6)
        let level = try reader.uint8()
        let space = ["", "A", "B", "C"][Int(profile >> 6)]
        // The flags in reverse order: the first flag is the lowest bit.
        let flags = String((0..<32).reduce(UInt32(0)) { $0 << 1 | compatibility >> $1 & 1 }, radix: 16, uppercase: true)
        let tier = profile & 0x20 == 0 ? "L" : "H"
        var text = "\(format).\(space)\(profile & 0x1F).\(flags).\(tier)\(level)"
        // Trailing zeros are omitted.
        let used = constraints.lastIndex { $0 != 0 }.map { constraints[...$0] } ?? []
        for byte in used { text += "." + String(byte, radix: 16, uppercase: true) }
        return text
    }

    /// VP8 and VP9: `vpcC` (VP Codec ISO Media File Format Binding), as in "vp09.00.10.08".
    static func vp(_ format: FourCC, _ reader: inout ByteReader) throws(FileError) -> String {
        try reader.skip(4)
        let (profile, level, depth) = (try reader.uint8(), try reader.uint8(), try reader.uint8() >> 4)
        return "\(format).\(twoDigits(profile)).\(twoDigits(level)).\(twoDigits(depth))"
    }

    /// AV1: `av1C` (AV1 Codec ISO Media File Format Binding, section 5), as in "av01.0.04M.08".
    static func av1(_ format: FourCC, _ reader: inout ByteReader) throws(FileError) -> String {
        try reader.skip(1)
        let (profile, flags) = (try reader.uint8(), try reader.uint8())
        let tier = flags & 0x80 == 0 ? "M" : "H"
        let depth: UInt8 = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
        return "\(format).\(profile >> 5).\(twoDigits(profile & 0x1F))\(tier).\(twoDigits(depth))"
    }

    private static func twoDigits(_ number: UInt8) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
