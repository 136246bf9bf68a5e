/// Reads one JSON text in a single pass over its bytes, without recursion, into one allocation.
struct JSONReader {
    let source: SourceBytes
    var position = 0
    var builder: PayloadBuilder
    /// Where the trouble is, when it is not at `position`.
    private var errorPosition: Int?

    /// - Parameter source: UTF-8.
    init(_ source: SourceBytes, limits: PayloadLimits) {
        self.source = source
        // Values that are written as a map of one entry take up to three more values and two levels.
        builder = PayloadBuilder(limits: limits, slack: 3, textCapacity: source.count)
    }

    /// The payload that the text says.
    mutating func read() throws(PayloadError) -> Payload {
        do throws(PayloadError) {
            try readValues()
            skipSpace()
            guard position == source.count else { throw mismatch("the end of the text", ofContainer: true) }
        } catch {
            var error = error
            error.found += " at \(TextPlace(of: errorPosition ?? position, in: source))"
            throw error
        }
        return try builder.payload()
    }

    private mutating func readValues() throws(PayloadError) {
        repeat {
            try readValue()
        } while try readSeparator()
    }

    /// A value, or the beginning of an array or map up to its first value.
    private mutating func readValue() throws(PayloadError) {
        repeat {
            skipSpace()
            switch source[position] {
            case UInt8(ascii: "\""): return try builder.add(.string(readText()))
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
            case UInt8(ascii: "t"): return try readWord("true", .bool(true))
            case UInt8(ascii: "f"): return try readWord("false", .bool(false))
            case UInt8(ascii: "n"): return try readWord("null", .null)
            case UInt8(ascii: "["): try builder.begin(isMap: false, place: position)
            case UInt8(ascii: "{"): try builder.begin(isMap: true, place: position)
            default: throw mismatch("a value")
            }
            position += 1
        } while try !endsEmpty()
    }

    /// After a bracket: ends an empty array or map, or reads the first key.
    private mutating func endsEmpty() throws(PayloadError) -> Bool {
        skipSpace()
        let isMap = builder.frames.last?.isMap ?? false
        if source[position] == UInt8(ascii: isMap ? "}" : "]") {
            position += 1
            try builder.end()
            return true
        }
        if isMap { try readKey(orEnd: true) }
        return false
    }

    /// After a value: ends arrays and maps, and reads the comma and the key of the next value. False at
    /// the end of the outermost value.
    private mutating func readSeparator() throws(PayloadError) -> Bool {
        while let frame = builder.frames.last {
            skipSpace()
            let byte = source[position]
            if byte == UInt8(ascii: ",") {
                position += 1
                if frame.isMap {
                    skipSpace()
                    try readKey(orEnd: false)
                }
                return true
            }
            guard byte == UInt8(ascii: frame.isMap ? "}" : "]") else {
                throw mismatch(frame.isMap ? "',' or '}'" : "',' or ']'", ofContainer: true)
            }
            position += 1
            errorPosition = frame.place
            if frame.isMap { try endMap() } else { try builder.end() }
            errorPosition = nil
        }
        return false
    }

    private mutating func readKey(orEnd: Bool) throws(PayloadError) {
        guard source[position] == UInt8(ascii: "\"") else {
            throw mismatch(orEnd ? "a key in quotes or '}'" : "a key in quotes", ofContainer: true)
        }
        let key = try readText()
        skipSpace()
        builder.setKey(key)
        guard source[position] == UInt8(ascii: ":") else { throw mismatch("':'") }
        position += 1
    }

    private mutating func readWord(_ word: StaticString, _ node: PayloadBuilder.Node) throws(PayloadError) {
        let end = position + word.utf8CodeUnitCount
        let isThere = word.withUTF8Buffer { unsafe source[position..<end].elementsEqual($0) }
        guard isThere else { throw mismatch("a value") }
        position = end
        try builder.add(node)
    }

    mutating func skipSpace() {
        while true {
            switch source[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
            default: return
            }
        }
    }
}

extension JSONReader {
    /// What is at the position is not what it should be.
    func mismatch(_ expected: String, ofContainer: Bool = false) -> PayloadError {
        PayloadError(path: builder.path(ofContainer: ofContainer), expected: expected, found: summary)
    }

    /// The character at the position.
    private var summary: String {
        guard position < source.count else { return "the end of the text" }
        switch source[position] {
        case UInt8(ascii: "'"): return "an apostrophe"
        case 0x20..<0x7F: return "'\(Unicode.Scalar(source[position]))'"
        default:
            let character = unsafe String(decoding: source[position..<position + 4], as: UTF8.self).unicodeScalars.first
            let number = String(character?.value ?? 0, radix: 16, uppercase: true)
            return "U+" + String(repeating: "0", count: max(4 - number.count, 0)) + number
        }
    }
}
