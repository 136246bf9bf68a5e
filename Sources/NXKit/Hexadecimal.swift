extension FixedWidthInteger where Self: UnsignedInteger {
    /// All digits of the number to the base 16, in capitals, with leading zeros: `UInt8(10)` is "0A".
    public var hexadecimal: String {
        let digits = String(self, radix: 16, uppercase: true)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}
