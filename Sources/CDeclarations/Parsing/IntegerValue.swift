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
