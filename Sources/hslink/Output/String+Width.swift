extension String {
    /// Columns that the text takes on a terminal.
    var width: Int { reduce(0) { $0 + $1.width } }

    /// The beginning that takes no more than `limit` columns, with an ellipsis where something is missing.
    func shortenedAtEnd(to limit: Int) -> String {
        guard width > limit else { return self }
        return String(fitting(limit - 1)) + "…"
    }

    /// The end that takes no more than `limit` columns, with an ellipsis where something is missing.
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
    /// Wide characters of East Asian scripts and emoji take two columns (Unicode Standard Annex 11, W and F;
    /// by blocks, which is near enough for a table).
    fileprivate var width: Int {
        guard let scalar = unicodeScalars.first, scalar.value >= 0x1100 else { return 1 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
            0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
