extension String {
    /// The text on one line and without orders to a terminal: it comes from files of others. Control
    /// characters, and those that end lines or turn the direction of writing, are written as in Swift.
    var escaped: String {
        guard unicodeScalars.contains(where: \.needsEscape) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            default:
                if scalar.needsEscape {
                    text += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// The joiner is left alone: it only holds parts of a character together.
    fileprivate var needsEscape: Bool {
        if value >= 0x20 && value < 0x7F { return false }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        case .format: return value != 0x200D
        default: return false
        }
    }
}
