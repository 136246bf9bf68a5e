extension UInt8 {
    /// The byte as two lowercase hexadecimal digits.
    package var hexadecimalDigits: String {
        let digits = String(self, radix: 16)
        return digits.utf8.count == 1 ? "0" + digits : digits
    }
}
