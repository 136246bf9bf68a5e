import NXKit

/// The elementary stream descriptor in `esds` (ISO/IEC 14496-1, section 7.2.6; ISO/IEC 14496-14).
struct ElementaryStream {
    /// The coding, as registered: 0x40 is MPEG-4 audio, 0x20 MPEG-4 video, 0x6B MP3.
    let objectType: UInt8
    /// For MPEG-4 audio.
    let audio: AudioConfiguration?

    /// "mp4a.40.2": the object type and, for MPEG-4 audio, the audio object type (RFC 6381, section 3.3).
    func codecString(_ format: FourCC) -> String {
        let base = "\(format).\(String(objectType, radix: 16, uppercase: true))"
        return audio.map { "\(base).\($0.objectType)" } ?? base
    }

    /// - Throws: `truncated` or `malformed` when it is cut off or not made of the descriptors that are expected.
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
        guard objectType == 0x40 else {
            return ElementaryStream(objectType: objectType, audio: nil)
        }
        let size = try enter(0x05, &reader)
        let configuration = try reader.run(of: min(size, reader.remaining))
        return ElementaryStream(objectType: objectType, audio: AudioConfiguration(configuration))
    }

    /// Reads the tag and size of a descriptor. The size has 7 bits a byte, in at most four bytes.
    @discardableResult
    private static func enter(_ tag: UInt8, _ reader: inout ByteReader) throws(FileError) -> Int {
        let found = try reader.uint8()
        guard found == tag else {
            throw reader.error(.malformed, "a descriptor of tag \(tag) was expected, found \(found)")
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
