import Foundation
import TestSupport
import Testing

@testable import hslink

/// Commands in the tables of the page about what became of the ideas.
@Suite("Commands in the documentation")
struct DocumentedCommandTests {
    /// The commands in the last column, without the name of the program.
    private static let commands = CaseTable("the commands on the page") {
        let page = BuiltProducts.packageDirectory.appending(
            path: "Sources/Authoring/ComponentKit/ComponentKit.docc/WhatBecameOfTheIdeas.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        return Set(text.matches(of: /\| `hslink ([^`|]+)` \|\n/).map { String($0.1) }).sorted()
    }

    /// Subcommands that are only parsed, with the reason.
    private static let unrun = [
        "dev": "builds with SwiftPM, and goes on until it is stopped",
        "run": "goes on until it is stopped",
    ]

    /// Commands whose rows are about what is refused, with a part of the message. Their status is 1, that of others 0.
    private static let refusals = [
        "call ImageEditLink crop path=a.png to=b.png x=one y=0 width=1 height=1": "x: expected int, found string",
        "routes --match studio://owner/addresses/x": #""x" is not an int"#,
    ]

    /// The components that the commands name.
    private static let components = [
        "ComponentImage", "ComponentOwner", "ComponentPages", "ComponentVideo", "EMAccount", "NXService", "NXUI",
    ]

    @Test("the page has commands")
    func hasCommands() {
        Self.commands.expect(atLeast: 50)
        for command in Self.refusals.keys { #expect(Self.commands.cases.contains(command)) }
        for name in Self.unrun.keys { #expect(Self.commands.cases.contains { $0.hasPrefix("\(name) ") }) }
    }

    @Test("each command can be read", arguments: commands.cases)
    func parses(command: String) throws {
        // No word is quoted.
        #expect(!command.contains { "\"'\\".contains($0) })
        #expect(throws: Never.self) { _ = try HSLink.parseAsRoot(words(of: command)) }
    }

    /// One after the other, because several use the same data.
    @Test(
        "each command that ends does what its row says",
        .enabled(if: components.allSatisfy(ComponentTests.isBuilt), "a component is not in the package"))
    func works() async throws {
        let place = try TemporaryDirectory()
        for folder in ["ComponentImage/pictures", "ComponentVideo/films"] {
            try place.makeDirectory("data/\(folder)")
        }
        for name in ["data", "data/ComponentImage", "data/ComponentVideo"] { try place.setMode(0o700, of: name) }
        for (sample, name) in [
            ("baseline.jpg", "photo.jpg"), ("baseline.jpg", "data/ComponentImage/pictures/photo.jpg"),
            ("clip.mp4", "clip.mp4"), ("clip.mp4", "data/ComponentVideo/films/clip.mp4"),
        ] {
            try place.write(try Samples.bytes(of: sample), to: name)
        }
        try await withPlugins { plugins in
            for name in Self.components { try plugins.add(name) }
            for name in ["plugins", "build"] { try place.link(name, to: plugins.path) }
            let host = try await RunningHost.start(["--plugins", plugins.path], socket: place.path(of: "host.sock"))
            for command in Self.commands.cases where Self.unrun[words(of: command)[0]] == nil {
                let run = try await run(command, in: place)
                guard let message = Self.refusals[command] else {
                    #expect(run.status == 0, "\(command): \(run)")
                    continue
                }
                #expect(run.status == 1, "\(command): \(run)")
                #expect((run.standardOutput + run.standardError).contains(message), "\(command): \(run)")
            }
            #expect(await host.end() == 0)
        }
    }

    private func words(of command: String) -> [String] { command.split(separator: " ").map(String.init) }

    /// Runs a command in the directory, or in that of this package if it is about one.
    private func run(_ command: String, in place: TemporaryDirectory) async throws -> ProgramRun {
        let words = words(of: command)
        let directory = words[0] == "layers" ? BuiltProducts.packageDirectory.path : place.path
        return try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"), ["-C", directory, BuiltProducts.hslink.path] + words,
            environment: [
                "HSLINK_PATH": place.path(of: "plugins"), "HSLINK_DATA": place.path(of: "data"),
                "HSLINK_CACHE": place.path(of: "cache"),
                // Pages are composed on busy machines, too.
                "HSLINK_COMPONENT_PAGES_TIMEOUT": "300",
            ])
    }
}
