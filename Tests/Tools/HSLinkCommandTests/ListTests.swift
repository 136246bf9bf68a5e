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
                            "lacks component NotThere: no component NotThere was found"),
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

    @Test("a component whose routes are not used is listed with their number, and in JSON with the reasons")
    func refusedRoutes() async throws {
        func description(_ name: String, _ version: String, _ routes: String) -> String {
            """
            {"name": "\(name)", "version": "\(version)", "library": "libc.so.6", "class": "\(name)",
             "declarations": "int abs(int j);", "routes": {"abs": [\(routes)]}}
            """
        }
        try await withPlugins { plugins in
            try plugins.write(description("First", "1.0.0", #"{"pattern": "c://abs/:j"}"#), to: "a.hslink.json")
            try plugins.write(
                description("Second", "2.0.0", #"{"pattern": "c://abs/:j"}, {"pattern": "c://:k"}"#),
                to: "b.hslink.json")
            try plugins.write(description("Second", "1.0.0", #"{"pattern": "c://abs/:j"}"#), to: "c.hslink.json")
            try plugins.write(
                description("Third", "1.0.0", #"{"pattern": "c://abs/:j", "priority": 1}, {"pattern": "/:k"}"#),
                to: "d.hslink.json")
            let list = try await hslink("list", "--plugins", plugins.path)
            #expect(list.status == 0)
            let rows = list.standardOutput.split(separator: "\n").map(String.init)
            #expect(rows.filter { $0.hasPrefix("First ") }.allSatisfy { !$0.contains("route") }, "\(list)")
            #expect(
                rows.filter { $0.contains("not used: 'hslink routes' shows why") }.map {
                    $0.split(separator: " ").prefix(2).joined(separator: " ")
                } == ["Second 2.0.0", "Third 1.0.0"], "\(list)")
            #expect(list.standardOutput.contains("2 routes are not used: 'hslink routes' shows why"))
            #expect(list.standardOutput.contains("1 route is not used: 'hslink routes' shows why"))

            struct Listing: Decodable {
                struct Component: Decodable {
                    struct Route: Decodable { let pattern, selector, reason: String }
                    let name, version: String
                    let refusedRoutes: [Route]?
                }
                let components: [Component]
            }
            for options in [[], ["--all"]] {
                let json = try await hslink(["list", "--json", "--plugins", plugins.path] + options)
                let components = try JSONDecoder().decode(Listing.self, from: Data(json.standardOutput.utf8)).components
                let refused = Dictionary(
                    components.map { ("\($0.name) \($0.version)", $0.refusedRoutes) }, uniquingKeysWith: { $1 })
                #expect(refused.count == 4)
                #expect(refused.filter { $0.value == nil }.keys.sorted() == ["First 1.0.0", "Second 1.0.0"])
                let second = try #require(refused["Second 2.0.0"] ?? nil)
                #expect(Set(second.map(\.pattern)) == ["c://abs/:j", ""])
                #expect(second.allSatisfy { $0.selector == "abs" })
                #expect(second.contains { $0.reason.contains("First.abs in First") })
                #expect(second.contains { $0.reason.contains("placeholders that are parameters (j)") })
                #expect((refused["Third 1.0.0"] ?? nil)?.count == 1)
            }

            let running = try await RunningHost.start(["--plugins", plugins.path])
            let remote = try await hslink("list", "--host", running.socket)
            #expect(remote.standardOutput.contains("2 routes are not used: 'hslink routes' shows why"), "\(remote)")
            #expect(await running.end() == 0)
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
