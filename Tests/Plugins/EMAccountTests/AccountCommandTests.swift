import Foundation
import TestSupport
import Testing

@Suite("EMAccount through the command line")
struct AccountCommandTests {
    let data: TemporaryDirectory

    init() throws { data = try TemporaryDirectory() }

    private func call(_ arguments: String..., data: String? = nil, input: String? = nil) async throws -> ProgramRun {
        try await withPlugins("EMAccount") { plugins in
            try await ProgramRun.of(
                BuiltProducts.hslink,
                ["call", "AccountLink"] + arguments + ["--plugins", plugins.path, "--data", data ?? self.data.path],
                input: input)
        }
    }

    private struct Printed: Decodable {
        let name: String
    }

    private func name(_ run: ProgramRun) throws -> String {
        try JSONDecoder().decode(Printed.self, from: Data(run.standardOutput.utf8)).name
    }

    @Test("users sign up, in and out, at the full cost of a hash")
    func life() async throws {
        let up = try await call("signUp", "@-", input: #"{"name": "Ada", "password": "correct horse"}"#)
        #expect(try name(up) == "Ada")
        let wrong = try await call("signIn", "name=Ada", "password=wrong horse")
        #expect(wrong.status == 1)
        #expect(wrong.standardError.contains("the name or the password is wrong"))
        #expect(!wrong.standardError.contains("wrong horse"))
        #expect(try name(try await call("signIn", "name=ada", "password=correct horse")) == "Ada")
        #expect(try name(try await call("currentUser")) == "Ada")
        #expect(try await call("signOut").standardOutput == "null\n")
        #expect(try await call("currentUser").standardOutput == "null\n")
    }

    @Test("a password of digits is refused without being shown")
    func digits() async throws {
        let run = try await call("signUp", "name=Ada", "password=12345678")
        #expect(run.status == 1)
        #expect(run.standardError.contains("password as a string (digits alone in quotes)"))
        #expect(!run.standardError.contains("12345678"))
    }

    @Test(
        "a password in the wrong parameter is not shown",
        arguments: [
            [#""correct horse""#], [#"["Ada", "correct horse"]"#], ["name=Ada", #"password=["correct horse"]"#],
        ])
    func misplaced(arguments: [String]) async throws {
        for selector in ["signIn", "signUp"] {
            let run = try await withPlugins("EMAccount") { plugins in
                try await ProgramRun.of(
                    BuiltProducts.hslink,
                    ["call", "AccountLink", selector] + arguments
                        + ["--json", "--plugins", plugins.path, "--data", data.path])
            }
            #expect(run.status == 1)
            #expect(run.standardOutput.contains(#""code":"payloadMismatch""#), "\(run)")
            #expect(!(run.standardOutput + run.standardError).contains("correct horse"), "\(run)")
        }
    }

    @Test("a password from standard input or a variable may have only digits")
    func elsewhere() async throws {
        #expect(try name(try await call("signUp", "name=Ada", "password=@-", input: "12345678\n")) == "Ada")
        #expect(try name(try await call("signIn", "name=Ada", "password=@-", input: "12345678")) == "Ada")
    }

    @Test(
        "on a read-only file system, host and component report it",
        .enabled(if: MountNamespace.isAllowed, "needs root or user namespaces, to mount"),
        arguments: ["directory", "file"])
    func readOnly(what: String) async throws {
        #expect(try await call("currentUser").status == 0)
        let database = data.path(of: "EMAccount/accounts.sqlite")
        let run = try await withPlugins("EMAccount") { plugins in
            try await MountNamespace.run(
                "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\"",
                [what == "file" ? database : data.path], BuiltProducts.hslink,
                ["call", "AccountLink", "signOut", "--plugins", plugins.path, "--data", data.path])
        }
        #expect(run.status == 1)
        let words = what == "file" ? "accounts.sqlite cannot be written to" : "Read-only file system"
        #expect(run.standardError.contains(words), "\(run.standardError)")
        #expect(try await call("signOut").status == 0)
    }
}
