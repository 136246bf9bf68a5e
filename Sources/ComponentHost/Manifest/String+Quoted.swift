extension StringProtocol {
    /// The text in quotation marks for a message: one line, no control characters (it comes from files of
    /// others and ends up on terminals), at most `limit` characters.
    func quoted(limit: Int = 60) -> String {
        var text = "\""
        var count = 0
        for scalar in unicodeScalars {
            if count == limit {
                text += "…"
                break
            }
            count += 1
            switch scalar {
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\"", "\\": text += "\\\(scalar)"
            default:
                if scalar.isControl {
                    text += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        return text + "\""
    }
}

extension Unicode.Scalar {
    /// Whether a terminal may take it for an order: control characters, and those that turn the
    /// direction of writing.
    var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F: true
        default: false
        }
    }
}
