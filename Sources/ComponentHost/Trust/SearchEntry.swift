/// An entry of a search path, or the name of a library that is needed, as the dynamic loader reads it.
enum SearchEntry {
    /// Puts the directory of a file in the place of `$ORIGIN` and `${ORIGIN}`.
    ///
    /// - Returns: nil where another `$` stands: what `$LIB` and `$PLATFORM` are only the loader of a machine knows.
    static func expand(_ text: String, origin: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
        let pieces = text.split(separator: "$", omittingEmptySubsequences: false)
        var expanded = String(pieces[0])
        for piece in pieces.dropFirst() {
            guard let rest = rest(of: piece) else { return nil }
            expanded += origin
            expanded += rest
        }
        return expanded
    }

    /// What follows `ORIGIN` or `{ORIGIN}`; nil when something else stands there.
    private static func rest(of piece: Substring) -> Substring? {
        for word in ["{ORIGIN}", "ORIGIN"] where piece.hasPrefix(word) {
            let rest = piece.dropFirst(word.count)
            if word.hasSuffix("}") { return rest }
            let isLonger = rest.utf8.first.map { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            return isLonger == true ? nil : rest
        }
        return nil
    }
}

extension ComponentFileError {
    /// - Parameter location: what is wrong with, as in `its RUNPATH has "lib"`.
    static func relative(_ location: String) -> ComponentFileError {
        ComponentFileError(
            code: .untrustedSearchPath,
            message: "\(location), which is relative to the working directory of the process; link it with an absolute"
                + " path or with $ORIGIN, the directory of the file")
    }

    /// - Parameter location: as above.
    static func unreadable(_ location: String) -> ComponentFileError {
        ComponentFileError(
            code: .untrustedSearchPath,
            message: "\(location), which only the dynamic loader can read; link it with an absolute path or with"
                + " $ORIGIN, the directory of the file")
    }
}
