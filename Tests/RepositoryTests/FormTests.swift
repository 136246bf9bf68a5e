import Foundation
import TestSupport
import Testing

@Suite("The form of the sources")
struct FormTests {
    @Test("the files of the package are read")
    func files() {
        RepositoryFile.table.expect(atLeast: 1000)
        #expect(RepositoryFile.swift.count > 900)
        #expect(RepositoryFile.products.count > 700)
    }

    @Test("no Swift file has more than 600 lines")
    func lengths() {
        for file in RepositoryFile.swift {
            let count = file.bytes.count(where: { $0 == UInt8(ascii: "\n") })
            #expect(count <= 600, "\(file): it has \(count) lines; split it by concept")
        }
    }

    @Test("half of the Swift files have fewer than 120 lines")
    func median() throws {
        let counts = RepositoryFile.swift.map { $0.bytes.count(where: { $0 == UInt8(ascii: "\n") }) }.sorted()
        try #require(!counts.isEmpty)
        #expect(counts[counts.count / 2] < 120)
    }

    @Test("code that switches off a compiler check has a comment that explains why it is sound")
    func forced() {
        for file in RepositoryFile.products {
            for line in ForcedLine.unexplained(in: file) {
                Issue.record("\(file):\(line.number): say in a comment above why this is sound: \(line.text)")
            }
        }
    }

    @Test(
        "a comment above, beside or just below explains a forced line",
        arguments: [
            ("let a = try! b()", [1]), ("// It cannot fail.\nlet a = try! b()", []), ("let a = try! b() // Sound.", []),
            ("guard let a else {\n    fatalError()\n    // It is there.\n}", []), ("let a = try! b()\nlet c = 1", [1]),
            ("// Guarded by a lock.\n@safe\nfinal class A: @unchecked Sendable {}", []),
            ("// Of something else.\nlet a = 1\nlet b = c as! D", [3]), ("let text = \"try! again\"", []),
            ("let a = b.has!", []), ("static let shared = A()\nnonisolated(unsafe) var b = 1", [1, 2]),
        ] as [(String, [Int])])
    func forcedLines(text: String, numbers: [Int]) {
        let file = RepositoryFile(path: "A.swift", bytes: Data(text.utf8))
        #expect(ForcedLine.unexplained(in: file).map(\.number) == numbers)
    }

    @Test("nothing is left for later", arguments: ["TO" + "DO", "FIX" + "ME", "XX" + "X"])
    func unfinished(mark: String) {
        for file in RepositoryFile.all {
            for (number, line) in file.lines(with: mark) where line.containsWord(mark) {
                Issue.record("\(file):\(number): \(line)")
            }
        }
    }

    @Test(
        "no file contains a path of one machine",
        arguments: ["/" + "home/", "/" + "Users/", "/" + "root/", BuiltProducts.packageDirectory.path + "/"])
    func machines(place: String) {
        for file in RepositoryFile.all {
            for (number, line) in file.lines(with: place) where line.containsPath(place) {
                Issue.record("\(file):\(number): a path of one machine: \(line)")
            }
        }
    }

    @Test(
        "a path is distinguished from the end of another path",
        arguments: [
            ("see /srv/ada/notes", true), ("\"/srv/a\"", true), ("/srv/", false), ("/srv/$USER", false),
            ("/var/srv/a", false), ("~/srv/a", false), ("docs.srv/a", false),
        ])
    func places(line: String, isPlace: Bool) { #expect(line[...].containsPath("/srv/") == isPlace) }
}

/// A line that switches off a compiler check.
private struct ForcedLine {
    /// The line number, counted from 1.
    let number: Int
    let text: Substring

    private static let words = [
        "fatalError", "try!", "as!", "@unchecked Sendable", "nonisolated(unsafe)", "static let shared",
    ]

    /// Returns the lines without a comment above them (attributes may come between), on the same line or just below.
    static func unexplained(in file: RepositoryFile) -> [ForcedLine] {
        guard words.contains(where: file.contains) else { return [] }
        var found: [ForcedLine] = []
        var isExplained = false
        for (index, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let code = line.trimmingCharacters(in: .whitespaces)
            if code.hasPrefix("//") {
                isExplained = true
                if found.last?.number == index { found.removeLast() }
                continue
            }
            if !isExplained, isForced(code) { found.append(ForcedLine(number: index + 1, text: line)) }
            if code.wholeMatch(of: /@[A-Za-z]+(\([^)]*\))?/) == nil { isExplained = false }
        }
        return found
    }

    /// Returns whether a line forces something without a comment on the same line. String literals are not code.
    private static func isForced(_ line: String) -> Bool {
        guard words.contains(where: line.contains) else { return false }
        let code = line.replacing(/"[^"]*"/, with: "")
        guard !code.contains("//") else { return false }
        return words.contains { word in
            code.ranges(of: word).contains { range in
                word != "as!" || !(code[..<range.lowerBound].last?.isLetter ?? false)
            }
        }
    }
}

extension Substring {
    fileprivate func containsWord(_ word: String) -> Bool {
        ranges(of: word).contains { range in
            let isInside = [self[..<range.lowerBound].last, self[range.upperBound...].first]
                .contains { $0.map { $0.isLetter || $0.isNumber || $0 == "_" } == true }
            return !isInside
        }
    }

    /// Returns whether the text has an absolute path that begins with `place` and continues with a name.
    fileprivate func containsPath(_ place: String) -> Bool {
        ranges(of: place).contains { range in
            let before = self[..<range.lowerBound].last.map { $0.isLetter || $0.isNumber || "_.~-".contains($0) }
            let after = self[range.upperBound...].first.map { $0.isLetter || $0 == "." }
            return before != true && after == true
        }
    }
}
