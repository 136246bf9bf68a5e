/// An integer of a constant expression, with its type as C computes it.
struct IntegerValue {
    /// Within the range of the type.
    let value: Int128
    /// `int` or a larger one.
    let type: CScalar
    /// What a cast made of it, for `sizeof`; every operator promotes it to `int` at least.
    private(set) var unpromoted: CScalar?

    private static let ranks: [CScalar] = [
        .int, .unsignedInt, .long, .unsignedLong, .longLong, .unsignedLongLong,
    ]

    /// - Parameters:
    ///   - value: wraps around when an unsigned type does not hold it.
    ///   - type: an integer type; small ones become `int`, which holds them.
    /// - Returns: nil when a signed type does not hold it.
    init?(_ value: Int128, _ type: CScalar) {
        self.type = IntegerValue.promoted(type)
        let range = IntegerValue.range(of: self.type)
        if range.contains(value) {
            self.value = value
        } else if range.lowerBound == 0 {
            self.value = Int128(truncatingIfNeeded: value) & range.upperBound
        } else {
            return nil
        }
    }

    /// A truth value.
    init(_ truth: Bool) {
        value = truth ? 1 : 0
        type = .int
    }

    var isUnsigned: Bool { IntegerValue.range(of: type).lowerBound == 0 }

    /// The type that two operands are converted to.
    static func common(_ left: CScalar, _ right: CScalar) -> CScalar {
        let one = ranks.firstIndex(of: left) ?? 0
        let other = ranks.firstIndex(of: right) ?? 0
        let larger = ranks[max(one, other)]
        let smaller = ranks[min(one, other)]
        // A signed type of the same size gives way: unsigned long and long long become unsigned long long.
        let isMixed = range(of: smaller).lowerBound == 0 && range(of: larger).lowerBound != 0
        return isMixed && larger.size == smaller.size ? ranks[max(one, other) + 1] : larger
    }

    /// This value in another type, as a cast converts it.
    func converted(to type: CScalar, on target: CTarget) -> IntegerValue {
        var converted = type == .bool ? IntegerValue(value != 0) : cut(to: type, on: target)
        if !IntegerValue.ranks.contains(type) { converted.unpromoted = type }
        return converted
    }

    /// The value as an operand.
    var promoted: IntegerValue {
        var value = self
        value.unpromoted = nil
        return value
    }

    private func cut(to type: CScalar, on target: CTarget) -> IntegerValue {
        let isSigned = type.isSigned(on: target)
        let bits = UInt64(truncatingIfNeeded: value)
        let result: Int128 =
            switch (type.size, isSigned) {
            case (1, true): Int128(Int8(truncatingIfNeeded: bits))
            case (1, false): Int128(UInt8(truncatingIfNeeded: bits))
            case (2, true): Int128(Int16(truncatingIfNeeded: bits))
            case (2, false): Int128(UInt16(truncatingIfNeeded: bits))
            case (4, true): Int128(Int32(truncatingIfNeeded: bits))
            case (4, false): Int128(UInt32(truncatingIfNeeded: bits))
            case (_, true): Int128(Int64(truncatingIfNeeded: bits))
            case (_, false): Int128(bits)
            }
        return IntegerValue(result, type) ?? promoted
    }

    private static func promoted(_ type: CScalar) -> CScalar { ranks.contains(type) ? type : .int }

    static func range(of type: CScalar) -> ClosedRange<Int128> {
        switch type {
        case .unsignedInt: 0...Int128(UInt32.max)
        case .long, .longLong: Int128(Int64.min)...Int128(Int64.max)
        case .unsignedLong, .unsignedLongLong: 0...Int128(UInt64.max)
        default: Int128(Int32.min)...Int128(Int32.max)
        }
    }
}

/// The value of a number in the text.
enum IntegerLiteral {
    /// - Returns: nil when it is not an integer, or larger than any type.
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

/// The operators between two integers.
enum Arithmetic {
    /// - Returns: nil when C gives it no value: overflow, division by zero, a shift beyond the type.
    static func apply(_ sign: Sign, _ left: IntegerValue, _ right: IntegerValue) -> IntegerValue? {
        switch sign {
        case .or: return IntegerValue(left.value != 0 || right.value != 0)
        case .and: return IntegerValue(left.value != 0 && right.value != 0)
        case .shiftLeft, .shiftRight: return shift(sign, left, right.value)
        default: break
        }
        let type = IntegerValue.common(left.type, right.type)
        // The target matters for char alone, which no operand is.
        let one = left.converted(to: type, on: .amd64).value
        let other = right.converted(to: type, on: .amd64).value
        switch sign {
        case .bar: return IntegerValue(one | other, type)
        case .caret: return IntegerValue(one ^ other, type)
        case .ampersand: return IntegerValue(one & other, type)
        case .equal: return IntegerValue(one == other)
        case .notEqual: return IntegerValue(one != other)
        case .less: return IntegerValue(one < other)
        case .lessOrEqual: return IntegerValue(one <= other)
        case .greater: return IntegerValue(one > other)
        case .greaterOrEqual: return IntegerValue(one >= other)
        case .plus: return IntegerValue(one + other, type)
        case .minus: return IntegerValue(one - other, type)
        case .star:
            // 64 by 64 bits fit, except for the very largest unsigned ones, which wrap in the same way.
            let (product, overflow) = one.multipliedReportingOverflow(by: other)
            if overflow, IntegerValue.range(of: type).lowerBound != 0 { return nil }
            return IntegerValue(product, type)
        case .slash: return other == 0 ? nil : IntegerValue(one / other, type)
        case .percent: return other == 0 ? nil : IntegerValue(one % other, type)
        default: return nil
        }
    }

    private static func shift(_ sign: Sign, _ left: IntegerValue, _ count: Int128) -> IntegerValue? {
        guard count >= 0, count < Int128(left.type.size * 8) else { return nil }
        if sign == .shiftRight { return IntegerValue(left.value >> count, left.type) }
        // 1 << 31 is written for the highest bit, though C forbids it.
        let shifted = IntegerValue(left.value << count, left.type)
        return shifted ?? left.converted(to: .unsignedLong, on: .amd64).shiftedBits(count, in: left.type)
    }
}

extension IntegerValue {
    /// The bits moved up, taken for a number of a type, as compilers do it.
    fileprivate func shiftedBits(_ count: Int128, in type: CScalar) -> IntegerValue? {
        guard let moved = IntegerValue(value << count, .unsignedLong) else { return nil }
        return moved.converted(to: type, on: .amd64)
    }
}
