/// The words of the command line as the system has them: any bytes. Swift's have U+FFFD where they are not UTF-8, and would
/// be others for a component, with another file behind a path.
enum CommandWords {
    /// The first word that is not UTF-8, for people; nil where there is none. It is not shown, since it may be a secret.
    static var problem: String? {
        // The shell asks while one is being typed.
        if CommandLine.arguments.dropFirst().first?.hasPrefix("---") == true { return nil }
        for index in 0..<Int(CommandLine.argc) where index > 0 {
            guard let word = unsafe CommandLine.unsafeArgv[index], unsafe String(validatingCString: word) == nil else {
                continue
            }
            let text = unsafe String(cString: word)
            let key = text.prefix { $0 != "=" }
            let isKey = !key.isEmpty && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            return "argument \(index)\(isKey ? ", the value of \(key.prefix(60))," : "") is not UTF-8; "
                + "give a file of such a name another one, or a link to it"
        }
        return nil
    }
}
