import NXKit

/// The version and flags at the beginning of a full box's body (ISO/IEC 14496-12, section 4.2).
struct FullBoxHeader {
    let version: UInt8
    let flags: UInt32

    /// Reads them. Any version is accepted.
    init(_ reader: inout ByteReader) throws(FileError) {
        version = try reader.uint8()
        flags = try reader.uint24()
    }

    /// Reads them from a box whose version 0 has 32-bit times and version 1 has 64-bit ones.
    ///
    /// - Throws: `unsupported` for a later version, whose layout is not known.
    init(timesOf type: FourCC, _ reader: inout ByteReader) throws(FileError) {
        try self.init(&reader)
        guard version <= 1 else {
            throw reader.error(.unsupported, "version 0 or 1 of the box '\(type)' was expected, found \(version)")
        }
    }

    /// Bytes of a time in this version.
    var timeSize: Int { version == 0 ? 4 : 8 }

    /// The next time or duration.
    func time(_ reader: inout ByteReader) throws(FileError) -> UInt64 {
        version == 0 ? UInt64(try reader.uint32()) : try reader.uint64()
    }

    /// The next duration; nil when it is 0 or all ones, which say that it is not known.
    func duration(_ reader: inout ByteReader) throws(FileError) -> UInt64? {
        let value = try time(&reader)
        return value == 0 || value == (version == 0 ? UInt64(UInt32.max) : .max) ? nil : value
    }
}
