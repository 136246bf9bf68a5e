extension String {
    /// JSON with the characters escaped that nobody sees and that change the order in which a terminal shows others: the
    /// value of a component could look like another one. They stand in strings only, where the escape means the same.
    var escapedInJSON: String {
        guard utf8.contains(where: { $0 >= 0x80 }), unicodeScalars.contains(where: \.reorders) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.reorders {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Marks, embeddings, overrides and isolates of the bidirectional algorithm, and the deprecated format characters
    /// U+206A to U+206F; none is beyond U+FFFF.
    fileprivate var reorders: Bool { properties.isBidiControl || (0x206A...0x206F).contains(value) }
}
