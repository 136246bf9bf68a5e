/// Reads integers and byte runs from a buffer, one after the other, and throws where the buffer ends.
///
/// It knows where its first byte stands in the file, so that its errors name the place. A value: copying it is
/// cheap and remembers the position.
public struct ByteReader: Sendable {
    /// The order of the bytes of an integer.
    public enum Order: Sendable {
        /// The most significant byte first, as in PNG and MP4.
        case bigEndian
        /// The least significant byte first, as in BMP and RIFF.
        case littleEndian
    }

    /// The order in which integers are read.
    public let order: Order
    private let bytes: [UInt8]
    private let path: String
    private let origin: UInt64
    private var position = 0

    /// A reader at the first of `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: What is read.
    ///   - order: The byte order of the integers in it.
    ///   - path: The file that errors name.
    ///   - origin: Where the first byte stands in that file.
    public init(_ bytes: [UInt8], order: Order = .bigEndian, path: String, origin: UInt64 = 0) {
        self.bytes = bytes
        self.order = order
        self.path = path
        self.origin = origin
    }

    /// Bytes not read yet.
    public var remaining: Int { bytes.count - position }

    /// Where the next byte stands in the file.
    public var offset: UInt64 { origin &+ UInt64(position) }

    /// The next unsigned 8-bit integer. Throws `truncated` where the buffer ends.
    public mutating func uint8() throws(FileError) -> UInt8 { UInt8(truncatingIfNeeded: try integer(bytes: 1)) }

    /// The next unsigned 16-bit integer. Throws `truncated` where the buffer ends.
    public mutating func uint16() throws(FileError) -> UInt16 { UInt16(truncatingIfNeeded: try integer(bytes: 2)) }

    /// The next unsigned 24-bit integer. Throws `truncated` where the buffer ends.
    public mutating func uint24() throws(FileError) -> UInt32 { UInt32(truncatingIfNeeded: try integer(bytes: 3)) }

    /// The next unsigned 32-bit integer. Throws `truncated` where the buffer ends.
    public mutating func uint32() throws(FileError) -> UInt32 { UInt32(truncatingIfNeeded: try integer(bytes: 4)) }

    /// The next signed 32-bit integer in two's complement. Throws `truncated` where the buffer ends.
    public mutating func int32() throws(FileError) -> Int32 { Int32(bitPattern: try uint32()) }

    /// The next unsigned 64-bit integer. Throws `truncated` where the buffer ends.
    public mutating func uint64() throws(FileError) -> UInt64 { try integer(bytes: 8) }

    /// The next four-character code, which is the same in both byte orders. Throws `truncated` where the buffer ends.
    public mutating func fourCC() throws(FileError) -> FourCC {
        try require(4)
        defer { position += 4 }
        return FourCC(rawValue: bytes[position..<position + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// The next `count` bytes. Throws `truncated` where fewer are left.
    public mutating func run(of count: Int) throws(FileError) -> [UInt8] {
        try require(count)
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Passes over `count` bytes. Throws `truncated` where fewer are left.
    public mutating func skip(_ count: Int) throws(FileError) {
        try require(count)
        position += count
    }

    /// An error about the place that the reader has reached.
    ///
    /// - Parameters:
    ///   - code: What kind of failure it is.
    ///   - reason: What was expected and what was there.
    public func error(_ code: FileError.Code, _ reason: String) -> FileError {
        FileError(code, path: path, "\(reason) (before byte \(offset))")
    }

    private mutating func integer(bytes count: Int) throws(FileError) -> UInt64 {
        try require(count)
        defer { position += count }
        var value: UInt64 = 0
        for index in 0..<count {
            let byte = UInt64(bytes[position + index])
            switch order {
            case .bigEndian: value = value << 8 | byte
            case .littleEndian: value |= byte << (8 * UInt64(index))
            }
        }
        return value
    }

    private func require(_ count: Int) throws(FileError) {
        guard 0...remaining ~= count else {
            let reason = "\(count) bytes were expected at byte \(offset), but only \(remaining) are left there"
            throw FileError(.truncated, path: path, reason)
        }
    }
}
