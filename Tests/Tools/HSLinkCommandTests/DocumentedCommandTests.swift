import Foundation
import TestSupport
import Testing

@testable import hslink

/// Reads commands on pages of the documentation as the command line does.
@Suite("Commands in the documentation")
struct DocumentedCommandTests {
    /// The commands in the tables of the page about what became of the ideas, without the name of the program.
    private static let commands = CaseTable("the commands on the page") {
        let page = BuiltProducts.packageDirectory.appending(
            path: "Sources/Authoring/ComponentKit/ComponentKit.docc/WhatBecameOfTheIdeas.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        return text.matches(of: /`hslink ([^`]+)`/).map { String($0.1) }
    }

    @Test("the page has commands")
    func hasCommands() { Self.commands.expect(atLeast: 40) }

    @Test("each command can be read", arguments: commands.cases)
    func parses(command: String) throws {
        // No word is quoted.
        #expect(!command.contains { "\"'\\".contains($0) })
        #expect(throws: Never.self) {
            _ = try HSLink.parseAsRoot(command.split(separator: " ").map(String.init))
        }
    }
}
