import Foundation
import Testing

/// `DocumentedCommandTests` reads the commands on the page, and runs those that end.
@Suite("The page about what became of the ideas")
struct IdeaPageTests {
    /// The files of the tests, by the names of the types in them.
    private static let suites: [String: [RepositoryFile]] = {
        var suites: [String: [RepositoryFile]] = [:]
        for file in RepositoryFile.swift where file.path.hasPrefix("Tests/") {
            for (_, line) in file.lines(with: "struct ") {
                if let name = line.firstMatch(of: /struct (\w+)/) { suites[String(name.1), default: []].append(file) }
            }
        }
        return suites
    }()

    @Test("every row leads to a command, or to a test that exists")
    func rows() throws {
        let page = try #require(RepositoryFile.all.first { $0.path.hasSuffix(".docc/WhatBecameOfTheIdeas.md") })
        var (tests, commands) = (0, 0)
        for (number, line) in page.lines(with: "|") where !line.hasPrefix("| there |") && !line.hasPrefix("|---") {
            guard let row = line.wholeMatch(of: /\| ([^|]+) \| ([^|]+) \| `([^`|]+)` \|/) else {
                Issue.record("\(page):\(number): expected three cells, the last one a command or a test: \(line)")
                continue
            }
            if row.3.hasPrefix("hslink ") {
                commands += 1
                continue
            }
            tests += 1
            let parts = row.3.split(separator: "/").map(String.init)
            let files = parts.count == 2 ? Self.suites[parts[0]] ?? [] : []
            let isFound = files.contains { $0.contains("func \(parts[1])(") }
            #expect(isFound, "\(page):\(number): there is no test \(row.3)")
        }
        #expect(tests > 150 && commands > 40, "\(tests) tests, \(commands) commands")
    }
}
