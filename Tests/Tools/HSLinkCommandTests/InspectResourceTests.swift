import Foundation
import Glibc
import TestSupport
import Testing

@Suite("hslink inspect and the resources of a component")
struct InspectResourceTests {
    private struct Report: Decodable {
        struct Problem: Decodable, Equatable { let code, message: String }
        struct File: Decodable, Equatable {
            let name: String
            let size: Int?
            let error: Problem?
        }
        struct Resources: Decodable {
            let path: String
            let files: [File]
            let isComplete: Bool
            let error: Problem?
        }
        let resources: Resources?
    }

    private func report(_ file: String) async throws -> Report {
        let run = try await hslink("inspect", "--json", file)
        #expect(run.status == 0)
        return try JSONDecoder().decode(Report.self, from: Data(run.standardOutput.utf8))
    }

    private func fill(_ plugins: PluginDirectory) throws {
        for folder in ["CGood.resources", "CGood.resources/de.lproj", "CGood.resources/empty"] {
            try FileManager.default.createDirectory(atPath: plugins.file(folder), withIntermediateDirectories: true)
            try plugins.setMode(0o755, of: plugins.file(folder))
        }
        try plugins.write("hello", to: "CGood.resources/greeting.txt")
        try plugins.write("x", to: "CGood.resources/de.lproj/one\nline.txt")
    }

    @Test("its files are listed with their sizes")
    func files() async throws {
        try await withPlugins("CGood") { plugins in
            let file = plugins.file("libCGood.so")
            let none = try await hslink("inspect", file)
            #expect(!none.standardOutput.contains("Resources"))
            #expect(try await report(file).resources == nil)

            try fill(plugins)
            let run = try await hslink("inspect", file)
            let lines = [
                "Resources  \(plugins.file("CGood.resources"))", #"           de.lproj/one\nline.txt, 1 byte"#,
                "           greeting.txt, 5 bytes",
            ]
            #expect(run.standardOutput.contains("\n\(lines.joined(separator: "\n"))\n"), "\(run.standardOutput)")
            let resources = try #require(try await report(file).resources)
            #expect(resources.path == plugins.file("CGood.resources"))
            #expect(resources.isComplete)
            #expect(resources.error == nil)
            #expect(
                resources.files == [
                    .init(name: "de.lproj/one\nline.txt", size: 1, error: nil),
                    .init(name: "greeting.txt", size: 5, error: nil),
                ])
        }
    }

    @Test("what a host would not open is listed with the reason, and links to folders are not followed")
    func refused() async throws {
        try await withPlugins("CGood") { plugins in
            try fill(plugins)
            let folder = plugins.file("CGood.resources")
            try plugins.setMode(0o666, of: "\(folder)/greeting.txt")
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/out", withDestinationPath: "/etc/passwd")
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/round", withDestinationPath: "de.lproj")
            #expect(unsafe mkfifo("\(folder)/pipe", 0o644) == 0)
            let resources = try #require(try await report(plugins.file("libCGood.so")).resources)
            let found = resources.files.map { "\($0.name) \($0.size ?? -1) \($0.error?.code ?? "")" }
            #expect(
                found == [
                    "de.lproj/one\nline.txt 1 ", "greeting.txt -1 worldWritable", "out -1 linkOutside",
                    "pipe -1 notAFile",
                ])
            let run = try await hslink("inspect", plugins.file("libCGood.so"))
            #expect(run.standardOutput.contains("\n           pipe, refused: expected a regular file"))
        }
    }

    @Test("an untrusted directory is refused with the reason, which hslink list also gives")
    func untrusted() async throws {
        try await withPlugins("CGood") { plugins in
            try fill(plugins)
            try plugins.setMode(0o777, of: plugins.file("CGood.resources"))
            let file = plugins.file("libCGood.so")
            let run = try await hslink("inspect", file)
            #expect(run.status == 0)
            #expect(run.standardOutput.contains("\nTrust      trusted\n"))
            let refusal = "\n           refused: the directory \(plugins.file("CGood.resources"))"
            #expect(run.standardOutput.contains(refusal))
            #expect(run.standardOutput.contains("\n           greeting.txt, 5 bytes\n"))
            #expect(try await report(file).resources?.error?.code == "worldWritable")
            let list = try await hslink("list", "--plugins", plugins.path)
            #expect(list.status == 0)
            #expect(list.standardOutput.contains(" available "))
            #expect(list.standardOutput.contains("its resources cannot be used: the directory "))
        }
    }

    @Test("of many files the text shows the first")
    func many() async throws {
        try await withPlugins("CGood") { plugins in
            try fill(plugins)
            for number in 0..<1000 { try plugins.write("", to: "CGood.resources/empty/\(number)") }
            let run = try await hslink("inspect", plugins.file("libCGood.so"))
            #expect(run.standardOutput.contains("\n           and 962 more; use --json to see all\n"))
            #expect(try await report(plugins.file("libCGood.so")).resources?.files.count == 1002)
        }
    }
}
