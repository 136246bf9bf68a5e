import NXKit

/// The elementary stream descriptor in `esds` (ISO/IEC 14496-1, section 7.2.6; ISO/IEC 14496-14).
struct ElementaryStream {
    /// The coding, as registered: 0x40 is MPEG-4 audio, 0x20 MPEG-4 video, 0x6B MP3.
    let objectType: UInt8
    /// The audio configuration; nil if the coding is neither MPEG-4 nor MPEG-2 AAC audio.
    let audio: AudioConfiguration?

    /// The codec string, as in "mp4a.40.2": the object type and, for MPEG-4 audio, the audio object type (RFC 6381,
    /// section 3.3).
    func codecString(_ format: FourCC) -> String {
        let base = "\(format).\(String(objectType, radix: 16, uppercase: true))"
        guard objectType == 0x40, let audio else { return base }
        return "\(base).\(audio.objectType)"
    }

    /// Whether the coding is AC-3 or E-AC-3, whose channels only the stream itself specifies.
    var isAC3: Bool { objectType == 0xA5 || objectType == 0xA6 }

    /// - Throws: `truncated` if it is cut off; `malformed` if it does not have the expected descriptors.
    static func read(_ reader: inout ByteReader) throws(FileError) -> ElementaryStream {
        try reader.skip(4)  // version and flags
        try enter(0x03, &reader)
        try reader.skip(2)
        let flags = try reader.uint8()
        if flags & 0x80 != 0 { try reader.skip(2) }  // depends on another stream
        if flags & 0x40 != 0 { try reader.skip(Int(try reader.uint8())) }  // URL
        if flags & 0x20 != 0 { try reader.skip(2) }  // clock reference
        try enter(0x04, &reader)
        let objectType = try reader.uint8()
        try reader.skip(12)  // stream type, buffer size, bit rates
        // MPEG-2 audio may have no configuration, or a header of its own standard in that place.
        var next = reader
        guard objectType == 0x40 || 0x66...0x68 ~= objectType && (try? next.uint8()) == 0x05 else {
            return ElementaryStream(objectType: objectType, audio: nil)
        }
        let size = try enter(0x05, &reader)
        let configuration = try reader.run(of: min(size, reader.remaining))
        let isOther = configuration.starts(with: "ADIF".utf8)
        return ElementaryStream(objectType: objectType, audio: isOther ? nil : AudioConfiguration(configuration))
    }

    /// Reads the tag and size of a descriptor. The size has 7 bits a byte, in at most four bytes.
    @discardableResult
    private static func enter(_ tag: UInt8, _ reader: inout ByteReader) throws(FileError) -> Int {
        let found = try reader.uint8()
        guard found == tag else {
            throw reader.error(.malformed, "a descriptor with tag \(tag) was expected, found \(found)")
        }
        var size = 0
        for _ in 0..<4 {
            let byte = try reader.uint8()
            size = size << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { break }
        }
        return size
    }
}

/// The beginning of an AudioSpecificConfig (ISO/IEC 14496-3, section 1.6.2.1).
struct AudioConfiguration {
    /// 2 is AAC LC, 5 HE-AAC, 29 HE-AAC v2.
    let objectType: Int
    /// The sample rate of the decoded sound in Hz.
    let sampleRate: Int
    /// The number of channels of the decoded sound; nil if only the stream itself specifies it.
    let channels: Int?

    private static let sampleRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    /// Nil if `bytes` end too early, or have a rate from the reserved part of the table.
    init?(_ bytes: [UInt8]) {
        var bits = Bits(bytes)
        guard let type = bits.objectType(), let coreRate = bits.sampleRate(), let layout = bits.next(4) else {
            return nil
        }
        // Spectral band replication doubles the rate, and parametric stereo turns one channel into two.
        let isExtended = type == 5 || type == 29
        guard let rate = isExtended ? bits.sampleRate() : coreRate else { return nil }
        objectType = type
        sampleRate = rate
        switch layout {
        case 1 where type == 29: channels = 2
        case 1...6: channels = layout
        case 7: channels = 8
        default: channels = nil
        }
    }

    /// A reader of numbers with any number of bits, highest bit first.
    private struct Bits {
        private let bytes: [UInt8]
        private var position = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        /// Reads the next `count` bits; nil if fewer are left.
        mutating func next(_ count: Int) -> Int? {
            guard position + count <= bytes.count * 8 else { return nil }
            defer { position += count }
            return (position..<position + count).reduce(0) { value, index in
                value << 1 | Int(bytes[index / 8] >> UInt8(7 - index % 8) & 1)
            }
        }

        /// Reads five bits; the value 31 means that six more follow.
        mutating func objectType() -> Int? {
            guard let type = next(5) else { return nil }
            return type == 31 ? next(6).map { $0 + 32 } : type
        }

        /// Reads an index into the table; the index 15 means that the rate follows in 24 bits.
        mutating func sampleRate() -> Int? {
            guard let index = next(4) else { return nil }
            if index == 15 { return next(24) }
            return AudioConfiguration.sampleRates.indices.contains(index) ? AudioConfiguration.sampleRates[index] : nil
        }
    }
}
