extension JSONReader {
    /// A number: with a point or an exponent a double, else an integer.
    mutating func readNumber() throws(PayloadError) {
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
            throw outOfRange("an integer of 64 bits, or a double with a point", from: start)
        }
        try builder.add(.int(Int64(truncatingIfNeeded: 0 &- magnitude)))
    }

    /// One digit or more. `fits` is false when 64 bits do not hold them.
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
        // The digits of the smallest double, all written out, are 1,077 characters.
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
