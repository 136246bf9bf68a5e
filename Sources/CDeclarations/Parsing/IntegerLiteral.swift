/// What a number of the text is worth.
enum IntegerLiteral {
    /// - Returns: nil when it is no integer, or larger than any type.
    static func value(_ text: String) -> IntegerValue? {
        var digits = Substring(text.lowercased())
        guard digits.utf8.count <= 80 else { return nil }
        var isUnsigned = false
        var isLong = false
        var isLongLong = false
        // A suffix: u, and l or ll, in any order; both letters of ll are alike, whatever their case.
        let isHexadecimal = digits.hasPrefix("0x")
        let suffix = digits.reversed().prefix { $0 == "u" || $0 == "l" || $0 == "z" }
        digits = digits.dropLast(suffix.count)
        switch String(suffix.reversed()) {
        case "": break
        case "u": isUnsigned = true
        case "l", "z": isLong = true
        case "ul", "lu", "uz", "zu": (isUnsigned, isLong) = (true, true)
        case "ll": isLongLong = true
        case "ull", "llu": (isUnsigned, isLongLong) = (true, true)
        default: return nil
        }
        let radix: Int
        if isHexadecimal {
            radix = 16
            digits = digits.dropFirst(2)
        } else if digits.hasPrefix("0b") {
            radix = 2
            digits = digits.dropFirst(2)
        } else if digits.hasPrefix("0"), digits.count > 1 {
            radix = 8
            digits = digits.dropFirst()
        } else {
            radix = 10
        }
        // A sign would be taken for part of the number.
        guard digits.first?.isHexDigit == true, let value = UInt64(digits, radix: radix) else { return nil }
        // The first type that holds it; only numbers that are not decimal become unsigned by themselves.
        var types: [CScalar] = isLongLong ? [.longLong] : isLong ? [.long] : [.int, .long]
        if isUnsigned {
            types = types.map { $0 == .int ? .unsignedInt : $0 == .long ? .unsignedLong : .unsignedLongLong }
        } else if radix != 10 {
            types = types.flatMap { type -> [CScalar] in
                [type, type == .int ? .unsignedInt : type == .long ? .unsignedLong : .unsignedLongLong]
            }
        }
        let number = Int128(value)
        guard let type = types.first(where: { IntegerValue.range(of: $0).contains(number) }) else {
            return IntegerValue(number, .unsignedLongLong)
        }
        return IntegerValue(number, type)
    }
}
