import ComponentKit

/// A random number generator with a seed (SplitMix64), so that a failure can be reproduced.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

extension Payload {
    /// Any payload without objects, at most `depth` levels deep.
    static func random(using generator: inout SeededGenerator, depth: Int = 5) -> Payload {
        switch Int.random(in: 0..<(depth > 0 ? 13 : 9), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .int(Int64(truncatingIfNeeded: generator.next() >> UInt64.random(in: 0..<64, using: &generator)))
        case 3: return .int(.random(in: .min...(.max), using: &generator))
        case 4: return .uint(.random(in: UInt64(Int64.max)...(.max), using: &generator))
        case 5: return .double(randomDouble(using: &generator))
        case 6: return .string(randomText(using: &generator))
        case 7:
            let count = Int.random(in: 0..<40, using: &generator)
            return .bytes((0..<count).map { _ in .random(in: 0...255, using: &generator) })
        case 8:
            let range: ClosedRange<Int64> =
                .random(using: &generator) ? .min...(.max) : -62_167_219_200...253_402_300_799
            return .date(
                Timestamp(
                    seconds: .random(in: range, using: &generator),
                    nanoseconds: .random(using: &generator) ? 0 : .random(in: 0..<1_000_000_000, using: &generator)))
        case 9, 10:
            let count = Int.random(in: 0..<6, using: &generator)
            return .array((0..<count).map { _ in random(using: &generator, depth: depth - 1) })
        default:
            let count = Int.random(in: 0..<6, using: &generator)
            let entries = (0..<count).map { _ in
                (randomText(using: &generator), random(using: &generator, depth: depth - 1))
            }
            return Payload(entries: entries) { first, _ in first }
        }
    }

    private static func randomDouble(using generator: inout SeededGenerator) -> Double {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: Double(bitPattern: generator.next())
        case 1: Double(Float(bitPattern: UInt32(truncatingIfNeeded: generator.next())))
        case 2: Double(Int.random(in: -1000...1000, using: &generator))
        default: [0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude].randomElement(using: &generator) ?? 0
        }
    }

    private static func randomText(using generator: inout SeededGenerator) -> String {
        let special = ["", "$bytes", "$$bytes", "$date", "$double", "$", "$$$double", "bytes", "$ref", "é", "e\u{301}"]
        if Int.random(in: 0..<4, using: &generator) == 0 { return special.randomElement(using: &generator) ?? "" }
        var text = ""
        for _ in 0..<Int.random(in: 0..<20, using: &generator) {
            let most: UInt32 = [0x7F, 0xFF, 0xFFFF, 0x10FFFF].randomElement(using: &generator) ?? 0x7F
            if let scalar = Unicode.Scalar(.random(in: 0...most, using: &generator)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
