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
