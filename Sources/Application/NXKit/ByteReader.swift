/// Reads integers and runs of bytes from a buffer in sequence, and throws at the end of the buffer.
///
/// It knows the offset of its first byte in the file, so its errors can name positions in the file. It is a value type:
/// copying is cheap and saves the position.
public struct ByteReader: Sendable {
    /// The byte order of an integer.
    public enum Order: Sendable {
        /// The most significant byte first, as in PNG and MP4.
        case bigEndian
        /// The least significant byte first, as in BMP and RIFF.
        case littleEndian
    }

    /// The byte order of integers.
    public let order: Order
    private let bytes: [UInt8]
    private let path: String
    private let origin: UInt64
    private var position = 0

    /// Makes a reader that starts at the first of `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to read.
    ///   - order: The byte order of the integers in them.
    ///   - path: The file that errors name.
    ///   - origin: The offset of the first byte in that file.
    public init(_ bytes: [UInt8], order: Order = .bigEndian, path: String, origin: UInt64 = 0) {
        self.bytes = bytes
        self.order = order
        self.path = path
        self.origin = origin
    }

    /// The number of bytes not read yet.
    public var remaining: Int { bytes.count - position }

    /// The offset of the next byte in the file.
    public var offset: UInt64 { origin &+ UInt64(position) }

    /// Reads an unsigned 8-bit integer. Throws `truncated` at the end of the buffer.
    public mutating func uint8() throws(FileError) -> UInt8 { UInt8(truncatingIfNeeded: try integer(bytes: 1)) }

    /// Reads an unsigned 16-bit integer. Throws `truncated` at the end of the buffer.
    public mutating func uint16() throws(FileError) -> UInt16 { UInt16(truncatingIfNeeded: try integer(bytes: 2)) }

    /// Reads an unsigned 24-bit integer. Throws `truncated` at the end of the buffer.
    public mutating func uint24() throws(FileError) -> UInt32 { UInt32(truncatingIfNeeded: try integer(bytes: 3)) }

    /// Reads an unsigned 32-bit integer. Throws `truncated` at the end of the buffer.
    public mutating func uint32() throws(FileError) -> UInt32 { UInt32(truncatingIfNeeded: try integer(bytes: 4)) }

    /// Reads a signed 32-bit integer in two's complement. Throws `truncated` at the end of the buffer.
    public mutating func int32() throws(FileError) -> Int32 { Int32(bitPattern: try uint32()) }

    /// Reads an unsigned 64-bit integer. Throws `truncated` at the end of the buffer.
    public mutating func uint64() throws(FileError) -> UInt64 { try integer(bytes: 8) }

    /// Reads a four-character code, the same in both byte orders. Throws `truncated` at the end of the buffer.
    public mutating func fourCC() throws(FileError) -> FourCC {
        try require(4)
        defer { position += 4 }
        return FourCC(rawValue: bytes[position..<position + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// Reads `count` bytes. Throws `truncated` if fewer are left.
    public mutating func run(of count: Int) throws(FileError) -> [UInt8] {
        try require(count)
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Skips `count` bytes. Throws `truncated` if fewer are left.
    public mutating func skip(_ count: Int) throws(FileError) {
        try require(count)
        position += count
    }

    /// Makes an error about the current position.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: What was expected and what was found.
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
            let reason = "expected \(count) bytes at byte \(offset), but only \(remaining) are left"
            throw FileError(.truncated, path: path, reason)
        }
    }
}
