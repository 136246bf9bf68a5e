import Glibc
import SystemSupport

/// Checks that the command line, the environment variables with paths and the path of the current directory are UTF-8.
/// Swift replaces invalid UTF-8 with U+FFFD, so a component would receive a different text, or the path of a different
/// file.
enum CommandWords {
    /// A message about the first word, variable or path that is not UTF-8; nil if all are. It does not show the value,
    /// which may be a secret.
    static var problem: String? {
        // In a completion request from the shell, a word may still be incomplete.
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
        if let variable = variables.first(where: { !isUTF8($0) && isUsed($0) }) {
            return "the environment variable \(variable) is not UTF-8; rename the directory or create a link to it"
        }
        guard AbsolutePath.hasReadableDirectory else {
            return "the path of the current directory is not UTF-8; rename the directory, or begin in another one"
        }
        return nil
    }

    /// What messages about the command line quote: its words, and the parts of those in front of and behind an equals
    /// sign.
    static var quotable: [String] {
        CommandLine.arguments.dropFirst().flatMap { word in
            guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { return [word] }
            return [word, String(word[..<sign]), String(word[word.utf8.index(after: sign)...])]
        }
    }

    /// The variables with paths that hosts read.
    private static let variables = [
        "HSLINK_PATH", "HSLINK_DATA", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "RUNTIME_DIRECTORY", "STATE_DIRECTORY",
        "HOME", "HSLINK_CACHE", "XDG_CACHE_HOME", "HSLINK_CONFIG", "CREDENTIALS_DIRECTORY",
    ]

    /// Whether this command line may make use of a variable: a running host has its own, some commands make no host, and
    /// an option replaces its variable.
    private static func isUsed(_ variable: String) -> Bool {
        let words = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
        if let command = words.first, ["help", "layers", "new"].contains(command) { return false }
        let options = ["HSLINK_PATH": "--plugins", "HSLINK_CONFIG": "--config", "CREDENTIALS_DIRECTORY": "--secrets"]
        return !(["--help", "--version", "--host"] + [options[variable]].compactMap(\.self)).contains { option in
            words.contains { $0.isExactly(option) || $0.hasExactPrefix(option + "=") }
        }
    }

    private static func isUTF8(_ variable: String) -> Bool {
        guard let value = unsafe getenv(variable) else { return true }
        return unsafe String(validatingCString: value) != nil
    }
}
