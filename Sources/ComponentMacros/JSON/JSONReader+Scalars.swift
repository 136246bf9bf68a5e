extension JSONReader {
    /// A number of RFC 8259, section 6; kept as written.
    mutating func number() throws(JSONError) -> JSONValue.Content {
        if peek == UInt8(ascii: "-") { take() }
        if peek == UInt8(ascii: "0") {
            take()
            if isDigit(peek) {
                throw JSONError(message: "a number can't begin with a zero and further digits", offset: offset)
            }
        } else {
            try digits()
        }
        if peek == UInt8(ascii: ".") {
            take()
            try digits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            take()
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { take() }
            try digits()
        }
        return .number
    }

    private mutating func digits() throws(JSONError) {
        guard isDigit(peek) else { throw unexpected(expected: "a digit") }
        while isDigit(peek) { take() }
    }

    private func isDigit(_ byte: UInt8?) -> Bool {
        byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }

    /// A string of RFC 8259, section 7, with its escapes resolved.
    mutating func string() throws(JSONError) -> String {
        let start = offset
        var value: [UInt8] = []
        take()
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                take()
                return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\"):
                value.append(contentsOf: try escape().utf8)
            case 0..<0x20:
                throw controlCharacter(byte)
            default:
                value.append(byte)
                take()
            }
        }
        throw JSONError(message: "the string that begins here has no closing quote", offset: start)
    }

    /// A byte below 0x20 in a string. Mostly Swift has resolved an escape that was meant for JSON.
    private func controlCharacter(_ byte: UInt8) -> JSONError {
        let names: [UInt8: (name: String, escape: String)] = [
            0x0A: ("a line break", "n"), 0x0D: ("a carriage return", "r"), 0x09: ("a tab", "t"),
        ]
        let hexadecimal = (byte < 16 ? "0" : "") + String(byte, radix: 16)
        let (name, escape) = names[byte] ?? ("a control character (\(byte))", "u00\(hexadecimal)")
        return JSONError(
            message: "\(name) inside a string: write \\\\\(escape), or \\\(escape) in a raw literal #\"\"\"…\"\"\"#",
            offset: offset)
    }

    private mutating func escape() throws(JSONError) -> String {
        let start = offset
        take()
        let simple: [Character: String] = [
            "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
        ]
        if let byte = peek, let text = simple[Character(Unicode.Scalar(byte))] {
            take()
            return text
        }
        guard peek == UInt8(ascii: "u") else {
            throw unexpected(expected: "one of \" \\ / b f n r t u after the backslash")
        }
        var units = [try codeUnit()]
        if UTF16.isLeadSurrogate(units[0]), bytes[offset...].starts(with: "\\u".utf8) {
            take()
            units.append(try codeUnit())
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw JSONError(message: "a surrogate without its other half", offset: start)
        }
        return text
    }

    /// The letter "u" and four hexadecimal digits.
    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        take()
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw unexpected(expected: "four hexadecimal digits after \\u")
            }
            unit = unit << 4 | UInt16(digit)
            take()
        }
        return unit
    }
}
