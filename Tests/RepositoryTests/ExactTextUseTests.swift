import Foundation
import TestSupport
import Testing

/// Swift takes two spellings of one character as equal, and a slash before a combining mark as another character. So
/// text from outside is compared and split by its bytes; CONTRIBUTING says how.
@Suite("Text from outside is compared by its bytes")
struct ExactTextUseTests {
    @Test("new places that compare text in another way are listed with a reason")
    func places() {
        let listed = ExactTextException.all
        for file in RepositoryFile.products {
            guard !ExactTextException.folders.contains(where: { file.path.hasPrefix($0.folder) }) else { continue }
            let found = InexactLine.all(in: file)
            let expected = listed[file.path] ?? 0
            guard found.count != expected else { continue }
            for line in found {
                Issue.record(
                    """
                    \(file):\(line.number): \(line.text)
                    \(line.advice); or list the place in ExactTextExceptions.swift, with the reason why it is right \
                    (\(found.count) found, \(expected) listed)
                    """)
            }
            if found.isEmpty { Issue.record("\(file): \(expected) places are listed, and there is none") }
        }
        let paths = Set(RepositoryFile.swift.map(\.path))
        for path in listed.keys where !paths.contains(path) {
            Issue.record("\(path) is listed, and there is no such file")
        }
        for (folder, _) in ExactTextException.folders where !paths.contains(where: { $0.hasPrefix(folder) }) {
            Issue.record("\(folder) is listed, and there is no such folder")
        }
    }

    @Test(
        "the ways that do not go by bytes are found",
        arguments: [
            ("var known: Set<String> = []", true), ("let paths: [String: Int]", true), ("[Substring: Int]()", true),
            ("var seen: Set<[String]> = []", true), (#"if path.hasPrefix("/") {"#, true),
            (#"name.hasSuffix(".so")"#, true), (#"path.split(separator: "/")"#, true), (#"a.contains("/")"#, true),
            (#"a.lastIndex(of: "/")"#, true), (#"a.firstIndex(of: "=")"#, true),
            (#"a.split(separator: "'")"#, true), ("while let entry = unsafe readdir(stream) {", true),
            ("if item.name == name {", true), ("where entry.className != other.className", true),
            ("guard file?.path == opened.path else {", true), ("names.contains(name)", true),
            ("listed.contains(call.selector)", true), (#"if item.name == "open" {"#, false),
            ("if item.name == nil {", false), ("names.contains(ExactText(name))", false),
            ("names.containsExactly(name)", false), ("item.name.isExactly(name)", false),
            ("/// A `Set<String>` of paths.", false), ("var known: Set<ExactText> = []", false),
            (#"path.hasExactPrefix("/")"#, false), (#"text.hasSuffix(".0")"#, false), ("[String](names)", false),
        ])
    func found(line: String, isFound: Bool) {
        let file = RepositoryFile(path: "A.swift", bytes: Data("let a = 1\n    \(line)\n".utf8))
        #expect(InexactLine.all(in: file).map(\.number) == (isFound ? [2] : []))
    }
}

/// A line that compares or splits text in a way that does not go by bytes.
private struct InexactLine {
    /// The line number, counted from 1.
    let number: Int
    let text: Substring
    let advice: String

    /// What a line must contain to be looked at closely, which takes much longer.
    private static let words = [
        "[String", "[Substring", "Set<", "[[String", "Prefix(\"", "Suffix(\"", "separator: \"", ".contains(",
        "Index(of: \"/\")", "Index(of: \"=\")", "readdir(", "opendir(", "ame ==", "ame !=", "selector ==",
        "selector !=", "path ==", "path !=",
    ]

    static func all(in file: RepositoryFile) -> [InexactLine] {
        var found: [Int: InexactLine] = [:]
        for word in words {
            for (number, line) in file.lines(with: word) where found[number] == nil {
                let code = line.trimmingCharacters(in: .whitespaces)
                guard !code.hasPrefix("//"), let advice = advice(for: code) else { continue }
                found[number] = InexactLine(number: number, text: line, advice: advice)
            }
        }
        return found.values.sorted { $0.number < $1.number }
    }

    private static func advice(for code: String) -> String? {
        if code.contains(/\[(String|Substring) ?: |Set<(String|Substring)>|\[\[String\] ?: |Set<\[String\]>/) {
            return "use ExactText as the key, [UInt8] in Plugins"
        }
        if code.contains(/has(Prefix|Suffix)\("(\/|\.[a-z]|\.")/) {
            return "use hasExactPrefix or hasExactSuffix, in Plugins the text's utf8"
        }
        if code.contains(/split\(separator: "[\/:'=]"|contains\("\/"\)|(first|last)Index\(of: "[\/=]"\)/) {
            return "use exactParts(between:), hasASCII(_:) or the text's utf8"
        }
        if code.contains(/\b(readdir|opendir)\(/) { return "use DirectoryEntries" }
        // A name is recognized by what it is called, since the types are not known here.
        if code.contains(/\.(name|className|fileName|selector|path) [=!]= (?!nil\b|"|\.)/)
            || code.contains(/\.contains\((\w+\.)*(name|className|fileName|selector|path)\)/)
        {
            return "use isExactly or containsExactly, in Plugins the texts' utf8"
        }
        return nil
    }
}
