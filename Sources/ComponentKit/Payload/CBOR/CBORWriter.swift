import CHSLink

/// Writes a payload in CBOR, in the preferred serialization of RFC 8949, section 4.1: heads and
/// floating-point numbers in as few bytes as hold them exactly.
struct CBORWriter: PayloadWriter {
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

    /// A first byte and a big-endian number of `size` bytes.
    private mutating func writeNumber(_ first: UInt8, _ value: UInt64, size: Int) {
        output.append(first)
        for index in (0..<size).reversed() { output.append(UInt8(truncatingIfNeeded: value >> (index * 8))) }
    }

    private mutating func writeInteger(_ value: Int64) {
        if value >= 0 {
            writeHead(.unsigned, UInt64(value))
        } else {
            // A negative integer is written as -1 minus it, whose bits are its own, inverted.
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
