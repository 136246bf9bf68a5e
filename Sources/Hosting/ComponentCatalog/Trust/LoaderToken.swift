import SystemSupport

/// The words that the dynamic loader replaces in each path that it is given (ld.so(8), "Dynamic string tokens"). A path
/// with one of them leads the loader to another file than the system.
enum LoaderToken {
    private static let names = ["ORIGIN", "LIB", "PLATFORM"]

    /// Returns the first token in a path, as in `$ORIGIN` or `${LIB}`, by the rules of the loader; nil if there is none.
    static func first(in path: String) -> String? {
        guard path.hasASCII("$") else { return nil }
        for piece in path.exactParts(between: "$", omittingEmpty: false).dropFirst() {
            for name in names {
                if piece.hasExactPrefix("{\(name)}") { return "${\(name)}" }
                guard piece.hasExactPrefix(name) else { continue }
                let next = piece.utf8.dropFirst(name.utf8.count).first
                if next.map(continuesName) != true { return "$\(name)" }
            }
        }
        return nil
    }

    /// Whether a byte after a name belongs to a longer name, which the loader leaves alone.
    static func continuesName(_ byte: UInt8) -> Bool { byte.isLetterOrDigitInASCII || byte == UInt8(ascii: "_") }
}

extension TrustChecker {
    /// Refuses a path that the dynamic loader would read as another one. This is not a matter of trust: with every
    /// policy, the loader would open another file, or none.
    ///
    /// - Parameters:
    ///   - path: A path without links, of a file that is loaded or of a directory of such files.
    ///   - isDirectory: Whether it is a directory.
    /// - Throws: `loaderToken` with what to rename.
    package static func refuseLoaderTokens(
        in path: String, isDirectory: Bool = false
    ) throws(ComponentFileError) {
        guard let token = LoaderToken.first(in: path) else { return }
        var renamed = ""
        var isLast = false
        let parts = path.exactParts(between: "/")
        for (index, part) in parts.enumerated() {
            renamed += "/\(part)"
            isLast = index == parts.count - 1
            if LoaderToken.first(in: part) != nil { break }
        }
        let what = isLast && !isDirectory ? "the file" : "the directory"
        throw ComponentFileError(
            .loaderToken,
            "its path contains \(token), which the dynamic loader replaces, so it would open another file;"
                + " rename \(what) \(renamed.quotedForShell)")
    }
}
