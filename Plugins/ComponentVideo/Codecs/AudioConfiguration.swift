/// The beginning of an AudioSpecificConfig (ISO/IEC 14496-3, section 1.6.2.1).
struct AudioConfiguration {
    /// 2 is AAC LC, 5 HE-AAC, 29 HE-AAC v2.
    let objectType: Int
    /// Samples a second of the decoded sound.
    let sampleRate: Int
    /// Channels of the decoded sound; nil when the stream itself tells them.
    let channels: Int?

    private static let sampleRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    /// Nil when `bytes` end too early, or have a rate from the reserved part of the table.
    init?(_ bytes: [UInt8]) {
        var bits = Bits(bytes)
        guard let type = bits.objectType(), let coreRate = bits.sampleRate(), let layout = bits.next(4) else {
            return nil
        }
        // Spectral band replication doubles the rate, and parametric stereo makes two channels of one.
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

    /// Numbers of any count of bits, the highest bit first.
    private struct Bits {
        private let bytes: [UInt8]
        private var position = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        /// The next `count` bits; nil when fewer are left.
        mutating func next(_ count: Int) -> Int? {
            guard position + count <= bytes.count * 8 else { return nil }
            defer { position += count }
            return (position..<position + count).reduce(0) { value, index in
                value << 1 | Int(bytes[index / 8] >> UInt8(7 - index % 8) & 1)
            }
        }

        /// Five bits, of which 31 says that six more follow.
        mutating func objectType() -> Int? {
            guard let type = next(5) else { return nil }
            return type == 31 ? next(6).map { $0 + 32 } : type
        }

        /// An index into the table, or for 15 the rate itself in 24 bits.
        mutating func sampleRate() -> Int? {
            guard let index = next(4) else { return nil }
            if index == 15 { return next(24) }
            return AudioConfiguration.sampleRates.indices.contains(index) ? AudioConfiguration.sampleRates[index] : nil
        }
    }
}
