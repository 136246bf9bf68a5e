/// Tells from its name whether an integer is probably the length of something.
enum LengthName {
    private static let words: Set<String> = [
        "len", "length", "size", "sz", "n", "num", "count", "cnt", "nbytes", "nchars", "nitems", "nmemb", "nelem",
        "nelems", "nvalues", "nargs",
    ]
    /// The endings of names such as `buflen`, in which nothing separates the words.
    private static let endings = ["len", "length", "size"]
    private static let exceptions: Set<String> = ["resize", "silen"]

    /// Returns whether the first or the last word of a name, such as `buf_len`, `sourceLen`, `numItems` or `nByte`, is
    /// one for lengths.
    static func isOne(_ name: String) -> Bool {
        let parts = parts(of: name)
        guard let first = parts.first, let last = parts.last else { return false }
        return words.contains(first) || words.contains(last)
            || endings.contains { last.hasSuffix($0) } && !exceptions.contains(last)
    }

    /// Returns whether a length is named after a pointer: `inlen` and `key_len` after `in` and `key`.
    static func belongs(_ length: String, to pointer: String) -> Bool {
        let pointer = parts(of: pointer)
        var stem = parts(of: length).filter { !words.contains($0) }
        guard !pointer.isEmpty else { return false }
        if stem == pointer { return true }
        guard let last = stem.last, let ending = endings.first(where: { last.hasSuffix($0) }), last != ending else {
            return false
        }
        stem[stem.count - 1] = String(last.dropLast(ending.count))
        return stem == pointer
    }

    /// Returns whether a pointer is named like the end of what another one leads to.
    static func isEnd(_ name: String) -> Bool {
        parts(of: name).last.map { ["end", "last", "limit", "lim", "stop", "until"].contains($0) } ?? false
    }

    /// Returns whether a field is named like one that must be null until a later version of a library uses it.
    static func isReserved(_ name: String) -> Bool {
        parts(of: name).contains { ["reserved", "unused", "padding", "pad", "spare"].contains($0) }
    }

    /// Returns whether a name is that of a pointer with an "n" before it, as in `fds` and `nfds`, or `objects` and
    /// `nobject`.
    static func counts(_ name: String, _ pointer: String) -> Bool {
        let (name, pointer) = (name.lowercased(), pointer.lowercased())
        guard name.hasPrefix("n"), name.utf8.count > 3 else { return false }
        return name.dropFirst() == pointer || name.dropFirst() + "s" == pointer
    }

    /// Returns the words of a name in snake_case or camelCase, without capitals and without numbers at their ends.
    static func parts(of name: String) -> [String] {
        var parts: [String] = []
        var part = ""
        var wasLower = false
        func end() {
            while part.last?.isNumber == true { part.removeLast() }
            if !part.isEmpty { parts.append(part.lowercased()) }
            part = ""
        }
        for character in name {
            if character == "_" {
                end()
                wasLower = false
                continue
            }
            // "sourceLen" has two words, "LEN" has one.
            if character.isUppercase, wasLower { end() }
            part.append(character)
            wasLower = !character.isUppercase
        }
        end()
        return parts
    }
}
