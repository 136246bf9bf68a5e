extension String {
    /// The text in quotes, for messages: cut after 40 characters, with everything escaped that could
    /// move a terminal's cursor or begin a line of its own in a log.
    package var excerpt: String {
        var text = "\""
        for (count, scalar) in unicodeScalars.enumerated() {
            guard count < 40 else {
                text += "…"
                break
            }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                if scalar == "\"" || scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
