extension String {
    /// A string literal of Swift with this value: quotes, backslashes and unprintable characters escaped.
    var swiftLiteral: String {
        let escaped = unicodeScalars.map { $0 == "'" ? "'" : $0.escaped(asASCII: false) }
        return "\"" + escaped.joined() + "\""
    }

    /// The text in quotes for a message: on one line, long text cut.
    var quoted: String {
        let shown = prefix(60)
        return String(shown).swiftLiteral + (shown.endIndex == endIndex ? "" : "…")
    }
}
