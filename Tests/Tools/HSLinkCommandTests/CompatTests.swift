import Foundation
import TestSupport
import Testing

@Suite("hslink compat")
struct CompatTests {
    @Test("a file may replace itself")
    func same() async throws {
        try await withPlugins("AccountsOld") { plugins in
            let file = plugins.file("libAccountsOld.so")
            let run = try await hslink("compat", file, file)
            #expect(run == printed("Accounts 1.0.0 may replace Accounts 1.0.0: no differences"))
        }
    }

    @Test("a file with additions may replace another, and the additions are shown")
    func compatible() async throws {
        try await withPlugins("AccountsOld", "AccountsNew") { plugins in
            let run = try await hslink("compat", plugins.file("libAccountsOld.so"), plugins.file("libAccountsNew.so"))
            #expect(
                run
                    == printed(
                        "compatible: AccountService.signIn.parameters.remember: new", "  + remember: Bool?",
                        "compatible: User.since: new", "  + since: Date",
                        "Accounts 1.1.0 may replace Accounts 1.0.0: 2 compatible"))
        }
    }

    @Test("an incompatible file may not, with both sides")
    func incompatible() async throws {
        try await withPlugins("AccountsNew", "AccountsDrifted") { plugins in
            let run = try await hslink(
                "compat", plugins.file("libAccountsNew.so"), plugins.file("libAccountsDrifted.so"))
            #expect(run.status == 1)
            #expect(run.standardError == "")
            #expect(
                run.standardOutput == """
                    incompatible: AccountService.signIn.parameters.name: different type
                      - name: String
                      + name: Int
                    incompatible: AccountService.signIn.parameters.remember: removed
                      - remember: Bool?
                    incompatible: User.nick: removed
                      - nick: String?
                    incompatible: User.since: removed
                      - since: Date
                    Accounts 2.0.0 may not replace Accounts 1.1.0: 4 incompatible

                    """)
        }
    }

    @Test("routes are compared, too")
    func routes() async throws {
        func description(_ version: String, _ routes: String) -> String {
            """
            {"name": "c", "version": "\(version)", "library": "libc.so.6", "class": "C",
             "declarations": "int abs(int j);", "routes": {"abs": [\(routes)]}}
            """
        }
        try await withPlugins { plugins in
            try plugins.write(
                description("1.0.0", #"{"pattern": "c://abs/:j", "public": true}, {"pattern": "/abs/:j"}"#),
                to: "old.hslink.json")
            try plugins.write(
                description("1.1.0", #"{"pattern": "c://abs/:j"}, {"pattern": "/absolute/:j"}"#), to: "new.hslink.json")
            let run = try await hslink("compat", plugins.file("old.hslink.json"), plugins.file("new.hslink.json"))
            #expect(run.status == 1)
            #expect(
                run.standardOutput == """
                    incompatible: C.abs.routes: no longer public
                      - c://abs/:j [public]
                      + c://abs/:j
                    incompatible: C.abs.routes: removed
                      - /abs/:j
                    compatible: C.abs.routes: new
                      + /absolute/:j
                    c 1.1.0 may not replace c 1.0.0: 2 incompatible, 1 compatible

                    """)
        }
    }

    @Test("another component lacks the classes of the first")
    func otherComponent() async throws {
        try await withPlugins("AccountsOld", "CGood") { plugins in
            let run = try await hslink("compat", plugins.file("libCGood.so"), plugins.file("libAccountsOld.so"))
            #expect(run.status == 1)
            #expect(run.standardOutput.hasPrefix("incompatible: CGoodLink: removed\n  - class CGoodLink\n"))
            #expect(run.standardOutput.contains("\nAccounts 1.0.0 may not replace CGood 1.0.0: "))
        }
    }

    @Test("the JSON object has the same contents")
    func json() async throws {
        struct Report: Decodable {
            struct Side: Decodable { let file, name, version: String }
            struct Difference: Decodable, Equatable {
                let severity, path, change: String
                let expected, offered: String?
            }
            let first, second: Side
            let isCompatible: Bool
            let differences: [Difference]
        }
        try await withPlugins("AccountsOld", "AccountsDrifted") { plugins in
            let run = try await hslink(
                "compat", "--json", plugins.file("libAccountsOld.so"), plugins.file("libAccountsDrifted.so"))
            #expect(run.status == 1)
            let report = try JSONDecoder().decode(Report.self, from: Data(run.standardOutput.utf8))
            #expect(report.first.file == plugins.file("libAccountsOld.so"))
            #expect([report.first.version, report.second.version] == ["1.0.0", "2.0.0"])
            #expect([report.first.name, report.second.name] == ["Accounts", "Accounts"])
            #expect(!report.isCompatible)
            #expect(
                report.differences == [
                    .init(
                        severity: "incompatible", path: "AccountService.signIn.parameters.name",
                        change: "different type", expected: "name: String", offered: "name: Int"),
                    .init(
                        severity: "incompatible", path: "User.nick", change: "removed", expected: "nick: String?",
                        offered: nil),
                ])
        }
    }

    @Test("a file that is not a component is named with the reason")
    func noComponent() async throws {
        try await withPlugins("AccountsOld", "TextFile", "NoNotes") { plugins in
            let good = plugins.file("libAccountsOld.so")
            let run = try await hslink("compat", good, plugins.file("libTextFile.so"))
            #expect(run.status == 1)
            #expect(run.standardOutput == "")
            #expect(run.standardError.hasPrefix("Error: \(plugins.file("libTextFile.so")): not an ELF file"))
            let both = try await hslink("compat", plugins.file("none.so"), plugins.file("libNoNotes.so"), "--json")
            #expect(both.status == 1)
            #expect(both.standardError.split(separator: "\n").count == 2)
        }
    }

    @Test("one file alone is a wrong command line")
    func misuse() async throws {
        #expect(try await hslink("compat", "one.so").status == 64)
        #expect(try await hslink("compat").status == 64)
    }
}
