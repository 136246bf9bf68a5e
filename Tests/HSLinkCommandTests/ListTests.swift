import Foundation
import TestSupport
import Testing

@Suite("hslink list")
struct ListTests {
    @Test("an empty directory is an empty table")
    func empty() async throws {
        try await withPlugins { plugins in
            let run = try await hslink("list", "--plugins", plugins.path)
            #expect(run == printed("NAME  VERSION  LAYER  STATE  FILE  REASON"))
        }
    }

    @Test("an empty directory is an object with empty lists")
    func emptyJSON() async throws {
        try await withPlugins { plugins in
            let run = try await hslink("list", "--plugins", plugins.path, "--json", "--all")
            #expect(
                run
                    == printed(
                        #"{"components":[],"services":[],"rejectedDirectories":[],"rejectedFiles":[],"conflicts":[]}"#))
        }
    }

    @Test("every component has a row with its state, and the reason if it is unavailable")
    func table() async throws {
        try await withPlugins("CGood", "NeedsMissing", "NeedsOptional", "VersionedOld", "VersionedNew") { plugins in
            let path = plugins.path
            func row(_ start: String, _ file: String, _ reason: String) -> String {
                let width = path.count + "/libNeedsOptional.so".count
                let file = "\(path)/\(file)"
                let space = String(repeating: " ", count: reason.isEmpty ? 0 : width - file.count + 2)
                return "\(start)\(file)\(space)\(reason)"
            }
            let title = String(repeating: " ", count: path.count + "/libNeedsOptional.so".count - 2)
            let run = try await hslink("list", "--plugins", path)
            #expect(
                run
                    == printed(
                        "NAME           VERSION  LAYER     STATE      FILE\(title)REASON",
                        row("CGood          1.0.0    business  available  ", "libCGood.so", ""),
                        row(
                            "NeedsOptional  1.0.0    -         available  ", "libNeedsOptional.so",
                            "goes without component NotThere: no component NotThere was found"),
                        row("Versioned      2.0.0    -         available  ", "libVersionedNew.so", ""),
                        row(
                            "NeedsMissing   1.0.0    -         failed     ", "libNeedsMissing.so",
                            "NeedsMissing → NotThere: no component NotThere was found"),
                        row(
                            "Versioned      1.0.0    -         shadowed   ", "libVersionedOld.so",
                            "\(path)/libVersionedNew.so provides it in the same version or a higher one")))
        }
    }

    @Test("the JSON object has the same values, with null for missing ones")
    func json() async throws {
        try await withPlugins("CGood", "NeedsMissing") { plugins in
            let run = try await hslink("list", "--json", "--plugins", plugins.path)
            let good =
                #"{"name":"CGood","version":"1.0.0","layer":"business","state":"available","#
                + #""file":"\#(plugins.path)/libCGood.so","reason":null}"#
            let needsMissing =
                #"{"name":"NeedsMissing","version":"1.0.0","layer":null,"state":"failed","#
                + #""file":"\#(plugins.path)/libNeedsMissing.so","#
                + #""reason":"NeedsMissing → NotThere: no component NotThere was found","code":"requirementNotMet"}"#
            #expect(
                run == printed(#"{"components":[\#(good),\#(needsMissing)],"services":[],"rejectedDirectories":[]}"#))
        }
    }

    @Test("--all adds the files that are not components")
    func all() async throws {
        try await withPlugins("TextFile") { plugins in
            let run = try await hslink("list", "--all", "--plugins", plugins.path)
            let space = String(repeating: " ", count: plugins.path.count + "/libTextFile.so".count - 2)
            #expect(
                run
                    == printed(
                        "NAME  VERSION  LAYER  STATE  FILE  REASON",
                        "",
                        "FILE\(space)CODE    REASON",
                        "\(plugins.path)/libTextFile.so  notElf  "
                            + #"not an ELF file but text, which begins with "This is a text file, wha""#))
        }
    }

    @Test(
        "every file that is not a component is listed with a reason code",
        arguments: [
            ("TextFile", "notElf"), ("Empty", "notElf"), ("Truncated", "truncated"), ("TruncatedHeader", "truncated"),
            ("TruncatedTail", "truncated"), ("WrongMachine", "wrongMachine"), ("Bits32", "wrongFormat"),
            ("NoNotes", "noManifest"), ("OnlyToolchain", "noManifest"), ("BrokenJson", "invalidManifest"),
            ("WrongTypes", "invalidManifest"), ("TwoComponents", "severalManifests"),
        ])
    func rejection(fixture: String, code: String) async throws {
        struct Listing: Decodable {
            struct Rejection: Decodable { let path, code, reason: String }
            let rejectedFiles: [Rejection]
        }
        try await withPlugins(fixture) { plugins in
            let run = try await hslink("list", "--all", "--json", "--plugins", plugins.path)
            #expect(run.status == 0)
            #expect(run.standardError == "")
            let rejected = try JSONDecoder().decode(Listing.self, from: Data(run.standardOutput.utf8)).rejectedFiles
            #expect(rejected.map(\.path) == ["\(plugins.path)/lib\(fixture).so"])
            #expect(rejected.map(\.code) == [code])
            #expect(rejected.allSatisfy { !$0.reason.isEmpty })
        }
    }

    @Test("a missing directory of --plugins is an error; the others are still listed")
    func missingDirectory() async throws {
        try await withPlugins { plugins in
            let missing = plugins.file("none")
            let run = try await hslink("list", "--plugins", missing, "--plugins", plugins.path)
            #expect(run.status == 1)
            #expect(run.standardOutput == "NAME  VERSION  LAYER  STATE  FILE  REASON\n")
            #expect(
                run.standardError
                    == "Error: \(missing): the system could not find it: No such file or directory\n")
        }
    }

    @Test("a missing directory of HSLINK_PATH is only a warning")
    func missingDefaultDirectory() async throws {
        try await withPlugins { plugins in
            let missing = plugins.file("none")
            let run = try await hslink("list", environment: ["HSLINK_PATH": "\(missing):\(plugins.path)"])
            #expect(run.status == 0)
            #expect(run.standardOutput == "NAME  VERSION  LAYER  STATE  FILE  REASON\n")
            #expect(
                run.standardError
                    == "Warning: \(missing): the system could not find it: No such file or directory\n")
        }
    }

    @Test("a world-writable directory is refused, unless --trust-any is given")
    func untrustedDirectory() async throws {
        try await withPlugins("CGood") { plugins in
            try plugins.setMode(0o777, of: plugins.path)
            let refused = try await hslink("list", "--plugins", plugins.path)
            #expect(refused.status == 1)
            #expect(refused.standardOutput == "NAME  VERSION  LAYER  STATE  FILE  REASON\n")
            #expect(
                refused.standardError.hasPrefix("Error: \(plugins.path): the directory \(plugins.path) is writable by"))
            #expect(refused.standardError.contains("chmod o-w \(plugins.path)"))

            let taken = try await hslink("list", "--trust-any", "--plugins", plugins.path)
            #expect(taken.status == 0)
            #expect(taken.standardError == "")
            #expect(taken.standardOutput.contains("CGood  1.0.0"))
        }
    }

    @Test("list, inspect and a refused load run no code of a component; a call does")
    func runsNothing() async throws {
        try await withPlugins("Marks", "MarksAndMissing") { plugins in
            let mark = plugins.file("mark")
            let environment = ["HSLINK_MARK": mark]
            let list = try await hslink("list", "--plugins", plugins.path, environment: environment)
            #expect(list.status == 0)
            let inspect = try await hslink("inspect", plugins.file("libMarks.so"), environment: environment)
            #expect(inspect.status == 0)
            let refused = try await hslink(
                "call", "MarksAndMissingLink", "run", "--class-method", "--plugins", plugins.path,
                environment: environment)
            #expect(refused.status == 1)
            #expect(!FileManager.default.fileExists(atPath: mark))

            let call = try await hslink(
                "call", "MarksLink", "run", "--class-method", "--plugins", plugins.path, environment: environment)
            #expect(call == printed("true"))
            #expect(FileManager.default.fileExists(atPath: mark))
        }
    }
}
