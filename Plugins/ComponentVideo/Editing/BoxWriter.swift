import NXKit

/// Writes boxes and their values into memory.
struct BoxWriter {
    private(set) var bytes: [UInt8] = []

    mutating func uint16(_ value: UInt16) { integer(value) }
    mutating func uint32(_ value: UInt32) { integer(value) }
    mutating func uint64(_ value: UInt64) { integer(value) }
    mutating func append(_ bytes: some Sequence<UInt8>) { self.bytes.append(contentsOf: bytes) }

    /// The most significant byte first.
    private mutating func integer(_ value: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Writes a box with the body that `body` writes. A box of 4 GB or more gets a wrong size; whoever writes checks the
    /// size of everything.
    mutating func box(_ type: FourCC, _ body: (inout BoxWriter) -> Void) {
        let start = bytes.count
        uint32(0)
        uint32(type.rawValue)
        body(&self)
        let size = UInt32(truncatingIfNeeded: bytes.count - start)
        for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: size >> UInt32(24 - 8 * index)) }
    }

    /// Writes a box that begins with a version and flags (ISO/IEC 14496-12, section 4.2).
    mutating func fullBox(
        _ type: FourCC, version: UInt8 = 0, flags: UInt32 = 0, _ body: (inout BoxWriter) -> Void
    ) {
        box(type) { writer in
            writer.uint32(UInt32(version) << 24 | flags)
            body(&writer)
        }
    }
}

/// A header with the times at which a movie, a track or its media was made and changed, and its duration: `mvhd`, `tkhd`
/// and `mdhd` (ISO/IEC 14496-12, sections 8.2.2, 8.3.2 and 8.4.2).
struct TimedHeader: Hashable, Sendable {
    let type: FourCC
    private var flags: UInt32
    private let created, changed: UInt64
    /// What is between these times and the duration: the timescale, or the number of a track.
    private var middle: [UInt8]
    /// What follows the duration.
    private let rest: [UInt8]

    /// Reads a header.
    ///
    /// - Parameter middle: The number of bytes between the times and the duration.
    /// - Throws: `malformed` if it is too short; `unsupported` if its version is not known.
    static func read(_ box: Box, in boxes: BoxFile, middle: Int) throws(FileError) -> TimedHeader {
        // Longer than that only if something unknown follows.
        var reader = try boxes.reader(box, upTo: 256)
        let header = try FullBoxHeader(timesOf: box.type, &reader)
        let (created, changed) = (try header.time(&reader), try header.time(&reader))
        let between = try reader.run(of: middle)
        _ = try header.time(&reader)
        return TimedHeader(
            type: box.type, flags: header.flags, created: created, changed: changed, middle: between,
            rest: try reader.run(of: reader.remaining))
    }

    /// The first 32 bits between the times and the duration.
    var number: UInt32 {
        get { middle.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
        set { for index in 0..<4 { middle[index] = UInt8(truncatingIfNeeded: newValue >> UInt32(24 - 8 * index)) } }
    }

    /// Whether players show the track without being asked to; in the header of a track only.
    var isEnabled: Bool {
        get { flags & 1 == 1 }
        set { flags = newValue ? flags | 1 : flags & ~1 }
    }

    /// How the picture is turned, and for a track how large it is; empty if the header is too short to say it. The
    /// matrix is at the same place in the headers of movies and tracks.
    var geometry: ArraySlice<UInt8> { rest.dropFirst(16).prefix(44) }

    /// Writes the header with a duration.
    func write(duration: UInt64, to writer: inout BoxWriter) {
        // 32 bits that are all ones would mean that the duration is not known.
        let isLarge = [created, changed, duration].contains { $0 >= UInt64(UInt32.max) }
        writer.fullBox(type, version: isLarge ? 1 : 0, flags: flags) { writer in
            for time in [created, changed] {
                if isLarge { writer.uint64(time) } else { writer.uint32(UInt32(time)) }
            }
            writer.append(middle)
            if isLarge { writer.uint64(duration) } else { writer.uint32(UInt32(duration)) }
            writer.append(rest)
        }
    }
}
