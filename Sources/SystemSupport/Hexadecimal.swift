extension UInt8 {
    /// Its two digits to the base 16, in small letters.
    package var hexadecimalDigits: String {
        let digits = String(self, radix: 16)
        return digits.utf8.count == 1 ? "0" + digits : digits
    }
}
