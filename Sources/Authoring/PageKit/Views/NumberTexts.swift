extension Double {
    /// The number with all its digits, without a decimal point if it is whole, as a person writes it: "25", "29.97".
    public var writtenText: String {
        let text = "\(self)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The number with at most three digits after the point, as figures show it.
    public var shortText: String {
        if self == rounded(), magnitude < 1e15 { return "\(Int(self))" }
        guard magnitude >= 0.001, magnitude < 1e12 else { return "\(self)" }
        return "\((self * 1000).rounded() / 1000)"
    }
}
