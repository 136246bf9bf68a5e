extension String {
    /// A Swift string literal with this value: quotes, backslashes and unprintable characters are escaped.
    var swiftLiteral: String {
        let escaped = unicodeScalars.map { $0 == "'" ? "'" : $0.escaped(asASCII: false) }
        return "\"" + escaped.joined() + "\""
    }

    /// The text as a quoted literal for a message, cut after 60 characters.
    var quoted: String {
        let shown = prefix(60)
        return String(shown).swiftLiteral + (shown.endIndex == endIndex ? "" : "…")
    }
}
