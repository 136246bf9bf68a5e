import ArgumentParser
import Glibc
import SystemSupport

/// The value of `key=value` while it is typed.
struct ValueWord {
    let key: String
    /// What has been typed, without quotes and backslashes.
    private let value: String
    /// What the shell puts completions in the place of, as far as it stands in front of the value.
    private let front: String
    /// Bytes of the value that the shell takes for a word of its own, and does not want again.
    private let kept: Int

    /// Bash breaks words at `=` and `@`, as COMP_WORDBREAKS says; others do not.
    ///
    /// - Returns: nil where no value is typed.
    init?(_ words: [String], _ index: Int) {
        guard words.indices.contains(index) else { return nil }
        let word = words[index]
        if index > 0, word == "=" || word == "=@" {
            self.init(key: words[index - 1], value: String(word.dropFirst()), front: "", kept: word.utf8.count - 1)
        } else if index > 1, ["=", "=@"].contains(words[index - 1]) {
            let before = String(words[index - 1].dropFirst())
            self.init(key: words[index - 2], value: before + word, front: "", kept: before.utf8.count)
        } else if let sign = word.firstIndex(of: "=") {
            let value = String(word[word.index(after: sign)...])
            self.init(key: String(word[..<sign]), value: value, front: String(word[...sign]), kept: 0)
        } else {
            return nil
        }
    }

    private init(key: String, value: String, front: String, kept: Int) {
        self.key = key
        self.value = value.filter { !"'\"\\".contains($0) }
        self.front = front
        self.kept = kept
    }

    /// What the value may become.
    ///
    /// - Parameter takesFileName: whether a name of a file may stand there without an @.
    func completions(takesFileName: Bool) -> [String] {
        var values = ["@?", "@-", "@env:"].filter { $0.hasPrefix(value) }
        if value.hasPrefix("@") {
            values += ValueWord.files(String(value.dropFirst())).map { "@" + $0 }
        } else if takesFileName {
            values += ValueWord.files(value)
        }
        return values.map { front + ValueWord.quoted(String(decoding: $0.utf8.dropFirst(kept), as: UTF8.self)) }
    }

    /// The files whose paths begin with what has been typed; directories with a slash behind them.
    private static func files(_ typed: String) -> [String] {
        let slash = typed.lastIndex(of: "/")
        let folder = slash.map { String(typed[...$0]) } ?? ""
        let beginning = typed.dropFirst(folder.count)
        guard let directory = unsafe opendir(folder.isEmpty ? "." : folder) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            // A line is a completion: what would be two of them, or an order to the terminal, is left out.
            guard let name, name != ".", name != "..", name.hasPrefix(beginning), name.escaped == name else { continue }
            guard !name.hasPrefix(".") || beginning.hasPrefix(".") else { continue }
            var status = stat()
            let isDirectory = unsafe stat(folder + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            names.append(folder + name + (isDirectory ? "/" : ""))
        }
        return names.sorted()
    }

    /// Names as the shell's script takes them: that of bash expands words, so that a name could be a command, and that of zsh
    /// takes what stands behind a colon for a description.
    private static func quoted(_ text: String) -> String {
        switch CompletionShell.requesting {
        case CompletionShell.bash: ["?", "@?"].contains(text) ? text : text.quotedForShell
        case CompletionShell.zsh: text.replacing(":", with: "\\:")
        default: text
        }
    }
}
