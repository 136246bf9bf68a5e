/// The words of a command in one text, with quotes and backslashes as in a shell; nothing else is special.
struct ShellWords {
    let words: [String]

    /// - Returns: nil when a quotation mark is open at the end, or the text ends in a backslash.
    init?(_ text: String) {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var characters = text.makeIterator()
        while let character = characters.next() {
            switch (character, quote) {
            case ("'", "'"), ("\"", "\""): quote = nil
            case ("'", nil), ("\"", nil):
                quote = character
                word = word ?? ""
            case ("\\", nil), ("\\", "\""):
                guard let next = characters.next() else { return nil }
                // Within quotes a backslash stands for itself in front of what needs none.
                let isPlain = quote != nil && next != "\"" && next != "\\"
                word = (word ?? "") + (isPlain ? "\\" : "") + String(next)
            case (" ", nil), ("\t", nil), ("\n", nil):
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else { return nil }
        if let word { words.append(word) }
        self.words = words
    }
}
