import ArgumentParser
import Glibc
import SystemSupport

/// A partly typed value of `key=value`, for completion.
struct ValueCompletion {
    let key: String
    /// The typed part of the value, without quotes and backslashes.
    private let value: String
    /// The part before the value that the shell replaces along with it, so completions must repeat it.
    private let front: String
    /// The number of leading bytes of the value that the shell treats as a separate word, so completions must omit
    /// them.
    private let kept: Int

    /// Finds the value at `index`; nil if the word there is not a value. Bash splits words at `=` and `@`
    /// (COMP_WORDBREAKS), other shells do not.
    init?(_ words: [String], _ index: Int) {
        guard words.indices.contains(index) else { return nil }
        let word = words[index]
        if index > 0, word == "=" || word == "=@" {
            self.init(
                key: words[index - 1], value: word.without(exactPrefix: "="), front: "", kept: word.utf8.count - 1)
        } else if index > 1, ["=", "=@"].contains(words[index - 1]) {
            let before = words[index - 1].without(exactPrefix: "=")
            self.init(key: words[index - 2], value: before + word, front: "", kept: before.utf8.count)
        } else if let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")) {
            let start = word.utf8.index(after: sign)
            self.init(
                key: String(word[..<sign]), value: String(word[start...]), front: String(word[..<start]), kept: 0)
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

    /// Returns the possible completions of the value.
    ///
    /// - Parameter takesFileName: whether the value may be a file name without an `@`.
    func completions(takesFileName: Bool) -> [String] {
        var values = ["@?", "@-", "@env:"].filter { $0.hasExactPrefix(value) }
        if value.hasExactPrefix("@") {
            values += ValueCompletion.files(value.without(exactPrefix: "@")).map { "@" + $0 }
        } else if takesFileName {
            values += ValueCompletion.files(value)
        }
        return values.map { front + ValueCompletion.quoted(String(decoding: $0.utf8.dropFirst(kept), as: UTF8.self)) }
    }

    /// Returns the files whose paths begin with the typed text; directories with a trailing slash.
    private static func files(_ typed: String) -> [String] {
        let slash = typed.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { String(decoding: typed.utf8[...$0], as: UTF8.self) } ?? ""
        let beginning = String(decoding: typed.utf8.dropFirst(folder.utf8.count), as: UTF8.self)
        guard let entries = try? DirectoryEntries(folder.isEmpty ? "." : folder) else { return [] }
        var names: [String] = []
        for entry in entries where entry.isText {
            let name = entry.name
            // Each line is a completion, so names with line breaks or terminal escape sequences are left out.
            guard name.hasExactPrefix(beginning), name.escaped.isExactly(name) else { continue }
            guard !name.hasExactPrefix(".") || beginning.hasExactPrefix(".") else { continue }
            var status = stat()
            let isDirectory = unsafe stat(folder + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            names.append(folder + name + (isDirectory ? "/" : ""))
        }
        return names.sortedExactly()
    }

    /// Returns the text as the shell's completion script expects it. The bash script expands words, so an unquoted name
    /// could run a command; the zsh script treats text after a colon as a description.
    private static func quoted(_ text: String) -> String {
        switch CompletionShell.requesting {
        case CompletionShell.bash: ["?", "@?"].contains(text) ? text : text.quotedForShell
        case CompletionShell.zsh: text.replacing(":", with: "\\:")
        default: text
        }
    }
}
