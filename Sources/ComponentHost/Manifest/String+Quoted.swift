import ManifestRules

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
