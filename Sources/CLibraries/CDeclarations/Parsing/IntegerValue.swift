/// The value of an integer constant expression, with its C type.
struct IntegerValue {
    /// The value, which is within the range of the type.
    let value: Int128
    /// The type: `int` or a type of higher rank.
    let type: CScalar
    /// The type of a cast to a type smaller than `int`, which only `sizeof` observes: operators promote it to `int`.
    private(set) var unpromoted: CScalar?

    private static let ranks: [CScalar] = [
        .int, .unsignedInt, .long, .unsignedLong, .longLong, .unsignedLongLong,
    ]

    /// Creates a value of a type. Fails if a signed type can't represent the value.
    ///
    /// - Parameters:
    ///   - value: The value, which wraps around if an unsigned type can't represent it.
    ///   - type: An integer type. Types smaller than `int` are promoted to `int`.
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

    /// Creates a truth value: the `int` 0 or 1.
    init(_ truth: Bool) {
        value = truth ? 1 : 0
        type = .int
    }

    /// Returns the common type to which C converts two operands.
    static func common(_ left: CScalar, _ right: CScalar) -> CScalar {
        let one = ranks.firstIndex(of: left) ?? 0
        let other = ranks.firstIndex(of: right) ?? 0
        let larger = ranks[max(one, other)]
        let smaller = ranks[min(one, other)]
        // If the signed type has the same size, C uses its unsigned variant: unsigned long and long long become
        // unsigned long long.
        let isMixed = range(of: smaller).lowerBound == 0 && range(of: larger).lowerBound != 0
        return isMixed && larger.size == smaller.size ? ranks[max(one, other) + 1] : larger
    }

    /// Returns the value converted to another type, as by a cast.
    func converted(to type: CScalar, on target: CTarget) -> IntegerValue {
        var converted = type == .bool ? IntegerValue(value != 0) : cut(to: type, on: target)
        if !IntegerValue.ranks.contains(type) { converted.unpromoted = type }
        return converted
    }

    /// The value after integer promotion, as operators see it.
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

/// Evaluates integer literals.
enum IntegerLiteral {
    /// Returns the value of a literal, or nil if it is not an integer or no type can represent it.
    static func value(_ text: String) -> IntegerValue? {
        var digits = Substring(text.lowercased())
        guard digits.utf8.count <= 80 else { return nil }
        var isUnsigned = false
        var isLong = false
        var isLongLong = false
        // The suffix consists of u, and of l, ll or z, in either order and case.
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
        // `UInt64.init` would accept a sign.
        guard digits.first?.isHexDigit == true, let value = UInt64(digits, radix: radix) else { return nil }
        // The literal gets the first type that can represent it. Without the suffix u, only non-decimal literals can
        // get an unsigned type.
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

/// Evaluates binary operators.
enum Arithmetic {
    /// Returns the result, or nil if it is undefined in C: overflow, division by zero, or a shift by too many bits.
    static func apply(_ sign: Sign, to left: IntegerValue, and right: IntegerValue) -> IntegerValue? {
        switch sign {
        case .or: return IntegerValue(left.value != 0 || right.value != 0)
        case .and: return IntegerValue(left.value != 0 && right.value != 0)
        case .shiftLeft, .shiftRight: return shift(sign, left, by: right.value)
        default: break
        }
        let type = IntegerValue.common(left.type, right.type)
        // The target matters only for `char`, which operands never have after promotion.
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
            // Products of 64-bit values fit into 128 bits, except for the largest unsigned ones, which wrap as in C.
            let (product, overflow) = one.multipliedReportingOverflow(by: other)
            if overflow, IntegerValue.range(of: type).lowerBound != 0 { return nil }
            return IntegerValue(product, type)
        case .slash: return other == 0 ? nil : IntegerValue(one / other, type)
        case .percent: return other == 0 ? nil : IntegerValue(one % other, type)
        default: return nil
        }
    }

    private static func shift(_ sign: Sign, _ left: IntegerValue, by count: Int128) -> IntegerValue? {
        guard count >= 0, count < Int128(left.type.size * 8) else { return nil }
        if sign == .shiftRight { return IntegerValue(left.value >> count, left.type) }
        // Headers write 1 << 31 for the highest bit, although it is undefined in C.
        let shifted = IntegerValue(left.value << count, left.type)
        return shifted ?? left.converted(to: .unsignedLong, on: .amd64).shiftedBits(count, in: left.type)
    }
}

extension IntegerValue {
    /// Returns the bits shifted left and reinterpreted as a value of `type`, as compilers do.
    fileprivate func shiftedBits(_ count: Int128, in type: CScalar) -> IntegerValue? {
        guard let moved = IntegerValue(value << count, .unsignedLong) else { return nil }
        return moved.converted(to: type, on: .amd64)
    }
}
