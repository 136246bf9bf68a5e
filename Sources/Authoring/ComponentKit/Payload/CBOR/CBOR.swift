import CHSLink

extension Payload {
    /// Returns the payload in CBOR (RFC 8949), without loss.
    ///
    /// | payload       | CBOR |
    /// |---------------|------|
    /// | null, bool    | simple values 22, 20, 21 |
    /// | int, uint     | unsigned or negative integer |
    /// | double        | floating-point number, 16, 32 or 64 bits, the fewest that hold it exactly; a single NaN |
    /// | string, bytes | text string, byte string |
    /// | date          | tag 1001 (RFC 9581): a map of seconds (key 1) and nanoseconds (key -9, omitted if 0) |
    /// | array, map    | array, map with text keys, in their order |
    ///
    /// The encoding is the preferred serialization of section 4.1, so each payload has exactly one encoded form. May be
    /// called from any thread.
    ///
    /// - Parameter limits: The limits on levels, values, and bytes of the encoded form.
    /// - Throws: ``PayloadError`` if the payload contains an object or a value with an unknown tag, neither of which
    ///   can be encoded, or exceeds the limits and so could not be read back with the same limits. The error has the
    ///   path to the value.
    public func cbor(limits: PayloadLimits = .standard) throws(PayloadError) -> [UInt8] {
        defer { extendLifetime(owner) }
        var writer = CBORWriter()
        try unsafe writer.write(node, limits: limits)
        return writer.output
    }

    /// Creates a payload from the strict form of CBOR that ``cbor(limits:)`` writes.
    ///
    /// The input must be exactly one item with no trailing bytes. Heads must be in their shortest form, lengths
    /// definite, text in UTF-8, and map keys text and unique. Only the simple values and the tag that ``cbor(limits:)``
    /// writes are accepted; in a time, the seconds precede the nanoseconds. Floating-point numbers are accepted in all
    /// three widths, and all NaNs are read as the same one. May be called from any thread.
    ///
    /// - Parameters:
    ///   - cbor: The untrusted input. Memory is allocated for the bytes present, not for the lengths that they claim.
    ///   - limits: The limits on levels, values, and bytes, for both the encoded form and the payload.
    /// - Throws: ``PayloadError`` if the input is malformed or exceeds the limits, with what was expected and found,
    ///   the byte offset of the item, and the path in the payload.
    public init(cbor: [UInt8], limits: PayloadLimits = .standard) throws(PayloadError) {
        try limits.checkSize(cbor.count)
        self = try unsafe cbor.withUnsafeBufferPointer { bytes throws(PayloadError) in
            var reader = unsafe CBORReader(SourceBytes(UnsafeRawBufferPointer(bytes)), limits: limits)
            return try reader.read()
        }
    }
}

// The reader, the writer, and the item heads that both use.

/// The head of a CBOR item: its type, and its number, length or tag (RFC 8949, section 3).
private struct CBORHead {
    /// The type in the three high bits of the first byte.
    enum Major: UInt8 {
        case unsigned = 0
        case negative, bytes, text, array, map, tag, simple
    }

    let major: Major
    /// The five low bits of the first byte.
    let info: UInt8
    let argument: UInt64

    /// A description of the item, for messages.
    var summary: String {
        switch major {
        case .unsigned: "an unsigned integer"
        case .negative: "a negative integer"
        case .bytes: "a byte string"
        case .text: "a text string"
        case .array: "an array"
        case .map: "a map"
        case .tag: "tag \(argument)"
        case .simple where (25...27).contains(info): "a floating-point number"
        case .simple: "simple value \(argument)\(argument == 23 ? " (undefined)" : "")"
        }
    }
}

extension CBORHead {
    /// The tag for an exact time given in parts (RFC 9581, section 3).
    static let extendedTime: UInt64 = 1001
    /// The key of the seconds since 1970 in an extended time, 1, as encoded.
    static let secondsKey: UInt8 = 0x01
    /// The key of the nanoseconds in an extended time, -9, as encoded.
    static let nanosecondsKey: UInt8 = 0x28
}

/// Reads one CBOR item, without recursion, into one allocation.
private struct CBORReader {
    private let source: SourceBytes
    private var position = 0
    /// The offset of the item that is being read, for errors.
    private var itemStart = 0
    private var builder: PayloadBuilder

    init(_ source: SourceBytes, limits: PayloadLimits) {
        self.source = source
        builder = PayloadBuilder(limits: limits, textCapacity: source.count)
    }

    /// Returns the payload that the bytes encode.
    mutating func read() throws(PayloadError) -> Payload {
        do throws(PayloadError) {
            try readItems()
            itemStart = position
            guard position == source.count else {
                throw PayloadError(expected: "the end of the data", found: "\(source.count - position) more bytes")
            }
        } catch {
            var error = error
            error.found += " at byte \(itemStart)"
            throw error
        }
        return try builder.payload()
    }

    private mutating func readItems() throws(PayloadError) {
        items: while true {
            try readItem()
            while !builder.frames.isEmpty {
                guard builder.takeRemaining() else {
                    itemStart = builder.frames.last?.place ?? 0
                    try builder.end()
                    continue
                }
                if builder.frames.last?.isMap == true { try readKey() }
                continue items
            }
            return
        }
    }

    private mutating func readItem() throws(PayloadError) {
        let head = try readHead()
        switch head.major {
        case .unsigned: try builder.add(.uint(head.argument))
        case .negative:
            guard let number = Int64(exactly: head.argument) else {
                throw mismatch("an integer of at least \(Int64.min)", "-1-\(head.argument)")
            }
            try builder.add(.int(~number))
        case .bytes: try unsafe builder.add(.bytes(builder.append(try readString(head))))
        case .text: try builder.add(.string(try readText(head)))
        case .array: try begin(head, isMap: false, itemsEach: 1)
        case .map: try begin(head, isMap: true, itemsEach: 2)
        case .tag: try readTime(head)
        case .simple: try readSimple(head)
        }
    }

    private mutating func readKey() throws(PayloadError) {
        let head = try readHead()
        guard head.major == .text else { throw mismatch("a text key", head.summary) }
        builder.setKey(try readText(head))
    }

    /// Begins an array or map. Every item takes at least one byte, so a false length is detected before memory is
    /// allocated.
    private mutating func begin(_ head: CBORHead, isMap: Bool, itemsEach: UInt64) throws(PayloadError) {
        guard head.argument <= UInt64(source.count - position) / itemsEach else { throw truncated(head) }
        try builder.begin(isMap: isMap, place: itemStart, remaining: Int(head.argument))
    }

    private mutating func readText(_ head: CBORHead) throws(PayloadError) -> PayloadBuilder.TextRange {
        let bytes = try unsafe readString(head)
        guard unsafe bytes.bindMemory(to: UInt8.self).isValidUTF8 else {
            throw mismatch("text in UTF-8", "invalid bytes")
        }
        return unsafe builder.append(bytes)
    }

    private mutating func readString(_ head: CBORHead) throws(PayloadError) -> UnsafeRawBufferPointer {
        guard head.argument <= UInt64(source.count - position) else { throw truncated(head) }
        let start = position
        position += Int(head.argument)
        return unsafe source[start..<position]
    }

    private mutating func readSimple(_ head: CBORHead) throws(PayloadError) {
        switch head.info {
        case 20: try builder.add(.bool(false))
        case 21: try builder.add(.bool(true))
        case 22: try builder.add(.null)
        case 25: try builder.add(.double(Double(Float16(bitPattern: UInt16(head.argument)))))
        case 26: try builder.add(.double(Double(Float(bitPattern: UInt32(head.argument)))))
        case 27: try builder.add(.double(Double(bitPattern: head.argument)))
        default: throw mismatch("false, true or null", head.summary)
        }
    }

    /// Reads a time, which is a map of the seconds and, optionally, the nanoseconds.
    private mutating func readTime(_ tag: CBORHead) throws(PayloadError) {
        guard tag.argument == CBORHead.extendedTime else { throw mismatch(CBORReader.time, tag.summary) }
        let start = itemStart
        let map = try readHead()
        guard map.major == .map, map.argument == 1 || map.argument == 2 else {
            throw mismatch(CBORReader.time, "\(map.summary) of length \(map.argument)")
        }
        let seconds = try readPart(CBORHead.secondsKey)
        guard let number = Int64(exactly: seconds.argument) else {
            throw mismatch("64-bit seconds", seconds.summary)
        }
        var nanoseconds: UInt64 = 0
        if map.argument == 2 {
            let part = try readPart(CBORHead.nanosecondsKey)
            nanoseconds = part.argument
            guard part.major == .unsigned, nanoseconds < 1_000_000_000 else {
                throw mismatch("nanoseconds below 1000000000", "\(part.summary) (\(nanoseconds))")
            }
        }
        itemStart = start
        let time = Timestamp(
            seconds: seconds.major == .negative ? ~number : number, nanoseconds: UInt32(nanoseconds))
        try builder.add(.date(time))
    }

    /// Reads one part of a time: its key and an integer.
    private mutating func readPart(_ key: UInt8) throws(PayloadError) -> CBORHead {
        guard position < source.count, source[position] == key else {
            itemStart = position
            throw mismatch(CBORReader.time, position < source.count ? "another key" : "the end of the data")
        }
        position += 1
        let part = try readHead()
        guard part.major == .unsigned || part.major == .negative else { throw mismatch(CBORReader.time, part.summary) }
        return part
    }

    private static let time = "tag \(CBORHead.extendedTime) with a map of seconds (1) and nanoseconds (-9)"
}

extension CBORReader {
    /// Reads the head at the current position, and advances past it.
    private mutating func readHead() throws(PayloadError) -> CBORHead {
        itemStart = position
        guard position < source.count, let major = CBORHead.Major(rawValue: source[position] >> 5) else {
            throw mismatch("an item", "the end of the data")
        }
        let info = source[position] & 31
        position += 1
        guard info >= 24 else { return CBORHead(major: major, info: info, argument: UInt64(info)) }
        guard info != 31 else { throw mismatch("a definite length", "an indefinite one") }
        guard info <= 27 else { throw mismatch("an item", "the reserved first byte \(source[itemStart])") }
        let size = 1 << Int(info - 24)
        guard source.count - position >= size else { throw mismatch("\(size) more bytes", "the end of the data") }
        let argument = source.number(at: position, size: size)
        position += size
        // Floating-point numbers are accepted in every width, because many writers support only one.
        let isFloat = major == .simple && info > 24
        guard isFloat || argument >= smallest(size) else {
            throw mismatch("the shortest form of \(argument)", "a longer one")
        }
        return CBORHead(major: major, info: info, argument: argument)
    }

    /// Returns the smallest number that needs an argument of `size` bytes.
    private func smallest(_ size: Int) -> UInt64 { size == 1 ? 24 : 1 << (UInt64(size) * 4) }

    private func truncated(_ head: CBORHead) -> PayloadError {
        mismatch("\(head.summary) of length \(head.argument)", "the end of the data")
    }

    private func mismatch(_ expected: String, _ found: String) -> PayloadError {
        PayloadError(path: builder.path(), expected: expected, found: found)
    }
}

/// Writes a payload in CBOR, in the preferred serialization of RFC 8949, section 4.1: heads and floating-point numbers
/// take the fewest bytes that represent them exactly.
private struct CBORWriter: PayloadWriter {
    var output: [UInt8] = []

    var byteCount: Int { output.count }
    var isFull: Bool { false }

    mutating func writeScalar(_ node: hslink_value) throws(PayloadError) {
        switch unsafe node.kind {
        case .null: output.append(0xF6)
        case .bool: unsafe output.append(node.boolValue == true ? 0xF5 : 0xF4)
        case .int: unsafe writeInteger(node.as.i64)
        case .uint: unsafe writeHead(.unsigned, node.as.u64)
        case .double: unsafe writeDouble(node.as.f64)
        case .string: unsafe writeString(.text, UnsafeRawBufferPointer(node.textBytes))
        case .bytes: unsafe writeString(.bytes, node.rawBytes)
        case .date:
            guard let date = unsafe node.dateValue else {
                throw unsafe PayloadError(expected: "nanoseconds below 1000000000", found: node.summary)
            }
            writeDate(date)
        case .object, .unknown, .array, .map:
            throw unsafe PayloadError(expected: "a value that CBOR can hold", found: node.summary)
        }
    }

    mutating func beginArray(_ node: hslink_value) { unsafe writeHead(.array, UInt64(node.itemNodes.count)) }
    mutating func beginItem(isFirst: Bool) {}
    mutating func endArray(_ node: hslink_value) {}
    mutating func beginMap(_ node: hslink_value) { unsafe writeHead(.map, UInt64(node.entryNodes.count)) }
    mutating func writeKey(_ key: UnsafeRawBufferPointer, isFirst: Bool) { unsafe writeString(.text, key) }
    mutating func endMap(_ node: hslink_value) {}

    private mutating func writeHead(_ major: CBORHead.Major, _ argument: UInt64) {
        let first = major.rawValue << 5
        switch argument {
        case 0..<24: output.append(first | UInt8(argument))
        case 24...0xFF: writeNumber(first | 24, argument, size: 1)
        case 0x100...0xFFFF: writeNumber(first | 25, argument, size: 2)
        case 0x1_0000...0xFFFF_FFFF: writeNumber(first | 26, argument, size: 4)
        default: writeNumber(first | 27, argument, size: 8)
        }
    }

    /// Writes a first byte and a big-endian number of `size` bytes.
    private mutating func writeNumber(_ first: UInt8, _ value: UInt64, size: Int) {
        output.append(first)
        for index in (0..<size).reversed() { output.append(UInt8(truncatingIfNeeded: value >> (index * 8))) }
    }

    private mutating func writeInteger(_ value: Int64) {
        if value >= 0 {
            writeHead(.unsigned, UInt64(value))
        } else {
            // A negative integer n is written as -1 - n, whose bits are those of n, inverted.
            writeHead(.negative, UInt64(bitPattern: ~value))
        }
    }

    private mutating func writeDouble(_ value: Double) {
        if value.isNaN {
            writeNumber(0xF9, 0x7E00, size: 2)
        } else if let half = Float16(exactly: value) {
            writeNumber(0xF9, UInt64(half.bitPattern), size: 2)
        } else if let single = Float(exactly: value) {
            writeNumber(0xFA, UInt64(single.bitPattern), size: 4)
        } else {
            writeNumber(0xFB, value.bitPattern, size: 8)
        }
    }

    private mutating func writeString(_ major: CBORHead.Major, _ bytes: UnsafeRawBufferPointer) {
        writeHead(major, UInt64(bytes.count))
        unsafe output.append(contentsOf: bytes)
    }

    private mutating func writeDate(_ date: Timestamp) {
        writeHead(.tag, CBORHead.extendedTime)
        writeHead(.map, date.nanoseconds == 0 ? 1 : 2)
        output.append(CBORHead.secondsKey)
        writeInteger(date.seconds)
        guard date.nanoseconds != 0 else { return }
        output.append(CBORHead.nanosecondsKey)
        writeHead(.unsigned, UInt64(date.nanoseconds))
    }
}

extension hslink_value {
    /// The bytes of a bytes node.
    var rawBytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: self.as.bytes, count: self.as.bytes == nil ? 0 : Int(length))
    }
}
