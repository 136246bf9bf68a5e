/// Reads one JSON text in a single pass over its bytes, without recursion, into one allocation.
///
/// Implemented here because Foundation's readers would make every component depend on Foundation, and because their
/// values would have to be converted to nodes afterwards.
struct JSONReader {
    private let source: SourceBytes
    private var position = 0
    var builder: PayloadBuilder
    /// The position of an error, if it is not `position`.
    private var errorPosition: Int?

    /// - Parameter source: The text, in valid UTF-8.
    init(_ source: SourceBytes, limits: PayloadLimits) {
        self.source = source
        // Values that are written as a map with one entry use up to three more values and two more levels.
        builder = PayloadBuilder(limits: limits, slack: 3, textCapacity: source.count)
    }

    /// Returns the payload that the text represents.
    mutating func read() throws(JSONError) -> Payload {
        do throws(PayloadError) {
            try readValues()
            skipSpace()
            guard position == source.count else { throw mismatch("the end of the text", ofContainer: true) }
        } catch {
            throw JSONError(
                error, at: TextPlace(of: errorPosition ?? position, in: source), isAboutSameKeys: builder.hasSameKeys)
        }
        do throws(PayloadError) {
            return try builder.payload()
        } catch {
            throw JSONError(error, at: nil)
        }
    }

    private mutating func readValues() throws(PayloadError) {
        repeat {
            try readValue()
        } while try readSeparator()
    }

    /// Reads any opening brackets, and the scalar or empty container that follows them.
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

    /// Continues after an opening bracket: ends an empty array or map, or reads the first key.
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

    /// Continues after a value: ends arrays and maps, or reads the comma and the key of the next value. Returns false
    /// at the end of the outermost value.
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

    private mutating func skipSpace() {
        while true {
            switch source[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
            default: return
            }
        }
    }
}

extension JSONReader {
    /// Returns the error for an unexpected character at the current position.
    private func mismatch(_ expected: String, ofContainer: Bool = false) -> PayloadError {
        PayloadError(path: builder.path(ofContainer: ofContainer), expected: expected, found: summary)
    }

    /// A description of the character at the current position.
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

extension JSONReader {
    /// Reads a number: a double if it has a point or an exponent, otherwise an integer.
    private mutating func readNumber() throws(PayloadError) {
        let start = position
        let isNegative = source[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let digits = position
        let (magnitude, fits) = try readDigits()
        if source[digits] == UInt8(ascii: "0"), position > digits + 1 {
            position = digits
            throw mismatch("a number without leading zeros")
        }
        switch source[position] {
        case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): return try readDouble(from: start)
        default: break
        }
        if !isNegative, fits { return try builder.add(.uint(magnitude)) }
        guard fits, magnitude <= UInt64(Int64.max) + 1 else {
            throw outOfRange("a 64-bit integer, or a double with a point", from: start)
        }
        try builder.add(.int(Int64(truncatingIfNeeded: 0 &- magnitude)))
    }

    /// Reads one or more digits. `fits` is false if their value exceeds 64 bits.
    private mutating func readDigits() throws(PayloadError) -> (magnitude: UInt64, fits: Bool) {
        var magnitude: UInt64 = 0
        var fits = true
        let start = position
        while case let digit = source[position] &- UInt8(ascii: "0"), digit < 10 {
            let (high, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = high.addingReportingOverflow(UInt64(digit))
            if overflow || carry { fits = false }
            magnitude = sum
            position += 1
        }
        guard position > start else { throw mismatch("a digit") }
        return (magnitude, fits)
    }

    private mutating func readDouble(from start: Int) throws(PayloadError) {
        if source[position] == UInt8(ascii: ".") {
            position += 1
            _ = try readDigits()
        }
        if source[position] == UInt8(ascii: "e") || source[position] == UInt8(ascii: "E") {
            position += 1
            if source[position] == UInt8(ascii: "+") || source[position] == UInt8(ascii: "-") { position += 1 }
            _ = try readDigits()
        }
        // The smallest double, written out in full, takes 1,077 characters.
        guard position - start <= 1100 else { throw outOfRange("a number of at most 1100 characters", from: start) }
        let text = unsafe String(decoding: source[start..<position], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw outOfRange("a number that a double can hold", from: start)
        }
        try builder.add(.double(value))
    }

    private mutating func outOfRange(_ expected: String, from start: Int) -> PayloadError {
        var error = mismatch(expected)
        let digits = unsafe source[start..<min(position, start + 40)]
        error.found = unsafe String(decoding: digits, as: UTF8.self) + (position - start > 40 ? "…" : "")
        position = start
        return error
    }
}

extension JSONReader {
    /// Reads a string, starting at its opening quote.
    private mutating func readText() throws(PayloadError) -> PayloadBuilder.TextRange {
        position += 1
        var range = PayloadBuilder.TextRange(offset: builder.text.count, length: 0)
        while true {
            let start = position
            position = source.endOfPlainText(from: start)
            _ = unsafe builder.append(source[start..<position])
            switch source[position] {
            case UInt8(ascii: "\"") where position < source.count:
                position += 1
                range.length = builder.text.count - range.offset
                return range
            case UInt8(ascii: "\\"):
                try readEscape()
            default:
                let isEnd = position >= source.count
                throw mismatch(isEnd ? "a closing quote" : "an escape such as \\n for a control character")
            }
        }
    }

    private mutating func readEscape() throws(PayloadError) {
        position += 1
        let byte: UInt8
        switch source[position] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte = source[position]
        case UInt8(ascii: "b"): byte = 0x08
        case UInt8(ascii: "t"): byte = 0x09
        case UInt8(ascii: "n"): byte = 0x0A
        case UInt8(ascii: "f"): byte = 0x0C
        case UInt8(ascii: "r"): byte = 0x0D
        case UInt8(ascii: "u"): return try readUnicodeEscape()
        default: throw mismatch("one of \"\\/bfnrtu after a backslash")
        }
        position += 1
        builder.text.append(byte)
    }

    /// Reads `u` and four digits, or two such escapes for a character beyond U+FFFF (RFC 8259, section 7).
    private mutating func readUnicodeEscape() throws(PayloadError) {
        let start = position
        var value = try readCodeUnit()
        if (0xD800...0xDBFF).contains(value), source[position] == UInt8(ascii: "\\"),
            source[position + 1] == UInt8(ascii: "u")
        {
            position += 1
            let second = try readCodeUnit()
            if (0xDC00...0xDFFF).contains(second) { value = 0x10000 + (value - 0xD800) << 10 + (second - 0xDC00) }
        }
        guard let scalar = Unicode.Scalar(value) else {
            position = start
            var error = mismatch("both halves of a surrogate pair")
            error.found = "one"
            throw error
        }
        builder.text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private mutating func readCodeUnit() throws(PayloadError) -> UInt32 {
        position += 1
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(source[position])).hexDigitValue else {
                throw mismatch("four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}

extension SourceBytes {
    /// Returns the end of the run of plain text: the next quote, backslash or control character, or the end of the
    /// input.
    ///
    /// Checks eight bytes at a time. Subtracting `n` from each byte sets the high bit where the byte is below `n` and
    /// had no high bit itself. A borrow can affect only bytes above the first such byte, and only the first one is
    /// needed.
    fileprivate func endOfPlainText(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = ones << 7
        var index = start
        while let word = word(at: index) {
            let quotes = word ^ (ones * UInt64(UInt8(ascii: "\"")))
            let backslashes = word ^ (ones * UInt64(UInt8(ascii: "\\")))
            let found =
                ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (word &- ones * 0x20) & ~word)
                & highs
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < count, self[index] >= 0x20, self[index] != UInt8(ascii: "\""), self[index] != UInt8(ascii: "\\") {
            index += 1
        }
        return index
    }
}
