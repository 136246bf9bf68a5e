extension JSONReader {
    /// A string, from its opening quote on.
    mutating func readText() throws(PayloadError) -> PayloadBuilder.TextRange {
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
                throw mismatch(isEnd ? "a closing quote" : "an escape as in \\n for a control character")
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

    /// `u` and four digits, twice for characters beyond U+FFFF (RFC 8259, section 7).
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
    /// Where the text that needs no care ends: at a quote, a backslash, a control character or the end.
    ///
    /// Looks at eight bytes at a time. A byte below `n` shows in the high bit of `byte - n` where `byte` has
    /// none itself; a borrow can blur only the bytes above the first such one, and the first one is asked for.
    func endOfPlainText(from start: Int) -> Int {
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
