import NXKit

/// The decoder's configuration of a sound coding that has a box of its own.
struct SoundConfiguration {
    /// The sample rate in Hz; nil if the box has none.
    let sampleRate: Int?
    /// The number of channels; nil if only the stream itself specifies it.
    let channels: Int?

    /// - Throws: `truncated` if it is cut off.
    static func read(_ type: FourCC, _ reader: inout ByteReader) throws(FileError) -> SoundConfiguration {
        switch type {
        case "dac3": try ac3(&reader)
        case "dec3": try enhancedAC3(&reader)
        case "dOps": try opus(&reader)
        case "dfLa": try flac(&reader)
        default: try alac(&reader)
        }
    }

    /// The sample rates of AC-3, by `fscod`.
    private static let rates = [48_000, 44_100, 32_000]
    /// The full channels of AC-3, by `acmod`.
    private static let fullChannels = [2, 1, 2, 3, 3, 4, 4, 5]

    /// ETSI TS 102 366, section F.4: `fscod` (2 bits), `bsid` (5), `bsmod` (3), `acmod` (3), `lfeon`.
    private static func ac3(_ reader: inout ByteReader) throws(FileError) -> SoundConfiguration {
        let bits = Int(try reader.uint24())
        return SoundConfiguration(
            sampleRate: rate(bits >> 22), channels: fullChannels[bits >> 11 & 7] + (bits >> 10 & 1))
    }

    /// ETSI TS 102 366, section F.6: the data rate (13 bits) and number of independent substreams (3), and of the first
    /// `fscod` (2 bits), `bsid` (5), 2 others, `bsmod` (3), `acmod` (3), `lfeon`, 3 others, and the number of
    /// substreams that depend on it (4), which may have further channels.
    private static func enhancedAC3(_ reader: inout ByteReader) throws(FileError) -> SoundConfiguration {
        try reader.skip(2)
        let bits = Int(try reader.uint24())
        let isExtended = bits >> 1 & 15 > 0
        return SoundConfiguration(
            sampleRate: rate(bits >> 22),
            channels: isExtended ? nil : fullChannels[bits >> 9 & 7] + (bits >> 8 & 1))
    }

    private static func rate(_ index: Int) -> Int? { rates.indices.contains(index) ? rates[index] : nil }

    /// Encapsulation of Opus in ISO Base Media File Format, section 4.3.2. The rate is that of the source; the decoded
    /// one is that of the entry.
    private static func opus(_ reader: inout ByteReader) throws(FileError) -> SoundConfiguration {
        try reader.skip(1)
        let channels = Int(try reader.uint8())
        return SoundConfiguration(sampleRate: nil, channels: channels > 0 ? channels : nil)
    }

    /// Encapsulation of FLAC in ISO Base Media File Format, section 3.3.2: STREAMINFO (RFC 9639, section 8.2) is the
    /// first block. Its rate has 20 bits, and the number of channels, less one, 3.
    private static func flac(_ reader: inout ByteReader) throws(FileError) -> SoundConfiguration {
        try reader.skip(4 + 4 + 10)
        let bits = Int(try reader.uint24())
        return SoundConfiguration(sampleRate: bits >> 4 > 0 ? bits >> 4 : nil, channels: (bits >> 1 & 7) + 1)
    }

    /// `ALACSpecificConfig`, after a version and flags.
    private static func alac(_ reader: inout ByteReader) throws(FileError) -> SoundConfiguration {
        try reader.skip(4 + 9)
        let channels = Int(try reader.uint8())
        try reader.skip(2 + 4 + 4)
        let rate = Int(try reader.uint32())
        return SoundConfiguration(sampleRate: rate > 0 ? rate : nil, channels: channels > 0 ? channels : nil)
    }
}
