/// The raw bytes of the command line's words. Swift replaces invalid UTF-8 with U+FFFD, so a component would receive a
/// different text, or the path of a different file.
enum CommandWords {
    /// A message about the first word that is not UTF-8; nil if all are. It does not show the word, which may be a
    /// secret.
    static var problem: String? {
        // A completion request from the shell; the word may still be incomplete.
        if CommandLine.arguments.dropFirst().first?.hasPrefix("---") == true { return nil }
        for index in 0..<Int(CommandLine.argc) where index > 0 {
            guard let word = unsafe CommandLine.unsafeArgv[index], unsafe String(validatingCString: word) == nil else {
                continue
            }
            let text = unsafe String(cString: word)
            let key = text.prefix { $0 != "=" }
            let isKey = !key.isEmpty && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            return "argument \(index)\(isKey ? ", the value of \(key.prefix(60))," : "") is not UTF-8; "
                + "if it names a file, rename the file or create a link to it"
        }
        return nil
    }
}
