extension String {
    /// The width of the text on a terminal, in columns.
    var width: Int { reduce(0) { $0 + $1.width } }

    /// Returns the text, cut at its end to at most `limit` columns. An ellipsis marks the cut.
    func shortenedAtEnd(to limit: Int) -> String {
        guard width > limit else { return self }
        return String(fitting(limit - 1)) + "…"
    }

    /// Returns the text, cut at its start to at most `limit` columns. An ellipsis marks the cut.
    func shortenedAtStart(to limit: Int) -> String {
        guard width > limit else { return self }
        return "…" + String(String(reversed()).fitting(limit - 1).reversed())
    }

    private func fitting(_ limit: Int) -> Substring {
        var width = 0
        return prefix { character in
            width += character.width
            return width <= limit
        }
    }
}

extension Character {
    /// The width in columns: two for wide East Asian characters and emoji (classes W and F of Unicode Standard Annex
    /// 11, approximated by blocks, which is accurate enough for a table), also if they consist of several scalars.
    fileprivate var width: Int {
        guard !isASCII, let scalar = unicodeScalars.first else { return 1 }
        if scalar.properties.isEmojiPresentation || isComposedEmoji { return 2 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
            0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }

    /// Whether the character is an emoji of several scalars, of which the first alone need not be one: a digit in a key,
    /// a heart that a selector colours, or people who are joined.
    private var isComposedEmoji: Bool {
        guard unicodeScalars.first?.properties.isEmoji == true else { return false }
        // The selector of the form with colours, the frame of a key, and the joiner.
        return unicodeScalars.dropFirst().contains { [0xFE0F, 0x20E3, 0x200D].contains($0.value) }
    }
}
