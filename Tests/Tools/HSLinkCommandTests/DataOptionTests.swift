import Foundation
import TestSupport
import Testing

@Suite("hslink call --data")
struct DataOptionTests {
    let place: TemporaryDirectory

    init() throws { place = try TemporaryDirectory() }

    /// Runs the call with these environment variables. Their values are names in `place`, unless they are intentionally
    /// relative.
    private func directory(_ environment: [String: String?], _ arguments: String...) async throws -> ProgramRun {
        try await withPlugins("KeepsData") { plugins in
            let none: [String: String?] = ["HSLINK_DATA": nil, "XDG_DATA_HOME": nil, "HOME": nil]
            return try await ProgramRun.of(
                BuiltProducts.hslink,
                ["call", "KeepsDataLink", "directory", "--class-method", "--plugins", plugins.path] + arguments,
                environment: none.merging(environment) { $1 })
        }
    }

    @Test(
        "without it, the environment names the directory",
        arguments: [
            ("data", ["HSLINK_DATA": "data", "XDG_DATA_HOME": "xdg", "HOME": "home"]),
            ("xdg/hslink", ["XDG_DATA_HOME": "xdg", "HOME": "home"]),
            ("home/.local/share/hslink", ["HOME": "home"]),
        ])
    func standard(expected: String, variables: [String: String]) async throws {
        let run = try await directory(variables.mapValues { place.path(of: $0) })
        #expect(run == printed("\"\(place.path(of: expected))/KeepsData\""))
    }

    @Test("empty variables and a relative XDG_DATA_HOME do not count")
    func ignored() async throws {
        let home = place.path(of: "home")
        let run = try await directory(["HSLINK_DATA": "", "XDG_DATA_HOME": "relative", "HOME": home])
        #expect(run == printed("\"\(home)/.local/share/hslink/KeepsData\""))
    }

    @Test("it overrides the environment")
    func given() async throws {
        let run = try await directory(["HSLINK_DATA": place.path(of: "other")], "--data", place.path(of: "data"))
        #expect(run == printed("\"\(place.path(of: "data"))/KeepsData\""))
        #expect(!FileManager.default.fileExists(atPath: place.path(of: "other")))
    }

    @Test("without a data directory, the component says so")
    func nowhere() async throws {
        let run = try await directory([:])
        #expect(run.status == 1)
        #expect(
            run.standardError.contains("the host has no data directory for components; set one with --data DIR"))
    }

    @Test("an empty one is a wrong command line")
    func empty() async throws {
        #expect(try await directory([:], "--data", "").status == 64)
    }

    @Test("a call that needs no data makes no directory")
    func lazy() async throws {
        try await withPlugins("CGood") { plugins in
            let run = try await hslink(
                "call", "CGoodLink", "sum", "a=1", "b=2", "--class-method", "--plugins", plugins.path, "--data",
                place.path(of: "data"))
            #expect(run == printed("3"))
        }
        #expect(!FileManager.default.fileExists(atPath: place.path(of: "data")))
    }
}
