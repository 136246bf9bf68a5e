import FoundationEssentials

/// The words with which a thrown error is shown to people.
enum ErrorText {
    /// Returns what the error says of itself: the texts of `LocalizedError`, else its description. An error without
    /// either is told by the names of its case, or its type, and of its values: `unknown(id: 7)` is "unknown: id 7".
    static func of(_ error: any Error) -> String {
        guard let localized = error as? any LocalizedError else { return described(error) }
        var text = localized.errorDescription ?? described(error)
        for (joint, part) in [(": ", localized.failureReason), ("; ", localized.recoverySuggestion)] {
            guard let part, !part.isEmpty else { continue }
            let isSentence = text.last.map { ".!?".contains($0) } ?? false
            text += (isSentence ? " " : joint) + part
        }
        return text
    }

    private static func described(_ error: any Error) -> String {
        let describes =
            error is any CustomStringConvertible || error is any CustomDebugStringConvertible
            || error is any TextOutputStreamable
        guard !describes else { return "\(error)" }
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else {
            return words(of: "\(type(of: error))") + values(of: mirror)
        }
        guard let element = mirror.children.first, let name = element.label else { return words(of: "\(error)") }
        let inner = Mirror(reflecting: element.value)
        // A single value without a label is no tuple.
        return words(of: name) + (inner.displayStyle == .tuple ? values(of: inner) : ": \(element.value)")
    }

    private static func values(of mirror: Mirror) -> String {
        let values = mirror.children.map { child in
            let label = child.label.flatMap { $0.utf8.first == UInt8(ascii: ".") ? nil : $0 + " " } ?? ""
            return label + "\(child.value)"
        }
        return values.isEmpty ? "" : ": " + values.joined(separator: ", ")
    }

    /// Returns the words of a name: `tooBig` is "too big", and `URLRefused` is "URL refused".
    private static func words(of name: String) -> String {
        let letters = Array(name)
        var words = ""
        for (index, letter) in letters.enumerated() {
            let next = index + 1 < letters.count ? letters[index + 1] : nil
            // An abbreviation keeps its capitals.
            let beginsAbbreviation = letter.isUppercase && (next?.isUppercase ?? false)
            let beginsWord =
                letter.isUppercase && (index == 0 || !letters[index - 1].isUppercase || next?.isLowercase == true)
            if beginsWord, index > 0 { words += " " }
            words += beginsWord && !beginsAbbreviation ? letter.lowercased() : String(letter)
        }
        return words
    }
}
