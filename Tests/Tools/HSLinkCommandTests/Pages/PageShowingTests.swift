import Foundation
import TestSupport
import Testing

@Suite(
    "hslink page, with the component that composes pages", .enabled(if: ComponentTests.isBuilt("ComponentPages")))
struct PageShowingTests {
    private static func greetings(_ name: String) -> String {
        """
        {"page": "greetings", "title": "Greetings", "sections": [
            {"name": "people", "module": "fixture.greeting", "title": "People", "data": {"name": "\(name)", "times": 2}}
        ]}
        """
    }

    private static func lines(_ name: String) -> [String] {
        ["Greetings", "═════════", "", "── People ──", "• Hello \(name)", "• Hello \(name)"]
    }

    /// Calls `body` with the options for a host with the page `greetings`, and the folder of its file.
    private func withPages(_ body: ([String], TemporaryDirectory) async throws -> Void) async throws {
        try await withPlugins("ComponentPages", "FixtureComponent") { plugins in
            let folder = try TemporaryDirectory()
            try folder.write(Self.greetings("Ada"), to: "greetings.json")
            try await body(["--plugins", plugins.path, "--set", "ComponentPages.directory=\(folder.path)"], folder)
        }
    }

    /// Does the same with a running host.
    private func withHost(_ body: (RunningHost, TemporaryDirectory) async throws -> Void) async throws {
        try await withPages { options, folder in
            let host = try await RunningHost.start(options)
            try await body(host, folder)
            #expect(await host.end() == 0)
        }
    }

    @Test("a page is shown by a host of the command, and by a running one")
    func shows() async throws {
        try await withPages { options, _ in
            let run = try await hslink(["page", "greetings", "--no-actions", "--deadline", "300"] + options)
            #expect(run.standardOutput == Self.lines("Ada").map { $0 + "\n" }.joined(), "\(run)")
            #expect(run.status == 0)
            let json = try await hslink(["page", "greetings", "--json", "--deadline", "300"] + options)
            let object = try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8)) as? [String: Any]
            #expect(object?["id"] as? String == "greetings")
            let other = try await hslink(["page", "greeting"] + options)
            #expect(other.status == 1)
            #expect(other.standardError.contains("there is no page \"greeting\"; did you mean \"greetings\"?"))
        }
        try await withHost { host, _ in
            let run = try await hslink("page", "greetings", "--host", host.socket, "--deadline", "300")
            let command = "→ hslink page greetings --perform people/1/greet --host \(host.socket)\n"
            #expect(run.standardOutput.hasSuffix(command), "\(run)")
        }
    }

    @Test("an action of a page is performed by its address, and only if the page offers it")
    func performs() async throws {
        try await withHost { host, _ async throws in
            func perform(_ arguments: String...) async throws -> ProgramRun {
                try await hslink(["page", "greetings", "--host", host.socket, "--perform"] + arguments)
            }
            #expect(try await perform("people/1/greet") == printed(#""greeted 1""#))
            #expect(try await perform("people/1/greet", "--json") == printed(#"{"page":null,"value":"greeted 1"}"#))
            #expect(
                try await perform("people/2/greet")
                    == failed(
                        "Error: the page \"greetings\" does not offer people/2/greet now; "
                            + "'hslink page' shows what it offers"))
            #expect(
                try await perform("people/1/greet", "name=Ada")
                    == failed("Error: there is no field 'name'; the action takes no values", status: 64))
            #expect(
                try await perform("others/1/greet")
                    == failed("Error: the page \"greetings\" shows no section \"others\"; it shows people"))
        }
    }

    @Test("values of a page are given as arguments or in its id, and those that do not fit are told")
    func values() async throws {
        try await withHost { host, folder in
            try folder.write(
                """
                {"page": "greeting", "title": "Greeting", "values": "fixture.greeting",
                 "sections": [{"name": "people", "module": "fixture.greeting", "values": true}]}
                """, to: "greeting.json")
            let options = ["--host", host.socket, "--deadline", "300"]
            for arguments in [["greeting", "name=A&B c", "times=2"], ["greeting?times=2&name=A%26B+c"]] {
                let run = try await hslink(["page", "--no-actions"] + arguments + options)
                #expect(run.standardOutput.hasSuffix("• Hello A&B c\n• Hello A&B c\n"), "\(run)")
                let json = try await hslink(["page", "--json"] + arguments + options)
                #expect(json.standardOutput.hasPrefix(#"{"id":"greeting?name=A%26B%20c&times=2","#), "\(json)")
            }
            let shown = try await hslink(["page", "greeting", "name=Ada"] + options)
            #expect(
                shown.standardOutput.hasSuffix(
                    "→ hslink page 'greeting?name=Ada' --perform people/0/greet --host \(host.socket)\n"), "\(shown)")
            let performed = try await hslink(
                "page", "greeting?name=Ada", "--perform", "people/0/greet", "--host", host.socket)
            #expect(performed == printed(#""greeted 0""#))
            for (arguments, reason) in [
                ([], #"the value "name" is missing"#),
                (["name=a", "times=x"], #"the value "times": expected an integer, found "x""#),
                (["nmae=a"], #"it takes no value "nmae"; did you mean "name"?"#),
                (["name=a", "name=b"], #"the value "name": expected one value, found 2 values"#),
            ] as [([String], String)] {
                let run = try await hslink(["page", "greeting"] + arguments + options)
                #expect(run == failed("Error: the page \"greeting\": \(reason)"))
            }
            let listed = try await hslink("pages", "--host", host.socket)
            #expect(listed.standardOutput.contains("greeting (name: String, times: Int = 1)  Greeting"), "\(listed)")
            // A URL that answers a page is shown as that page.
            let opened = try await hslink(["open", "studio://pages/greeting%3Fname%3DAda"] + options)
            #expect(opened.standardOutput.contains("• Hello Ada") && opened.status == 0, "\(opened)")
            let json = try await hslink(["open", "studio://pages/greeting%3Fname%3DAda", "--json"] + options)
            #expect(json.standardOutput.hasPrefix(#"{"returnValue":{"#), "\(json)")
        }
    }

    @Test("with --watch, the page is printed again after a change, until Ctrl-C")
    func watches() async throws {
        try await withHost { host, folder in
            let program = try StartedProgram(["page", "greetings", "--no-actions", "--watch", "--host", host.socket])
            #expect(await holds { program.output.contains("Hello Ada") }, "\(program.log)")
            try folder.write(Self.greetings("Bea"), to: "greetings.json")
            let refreshed = try await host.call("PagesLink", "refresh", "id=greetings")
            #expect(refreshed.status == 0, "\(refreshed)")
            #expect(await holds { program.output.contains("Hello Bea") }, "\(program.output)")
            #expect(program.output.hasSuffix("\n\n" + Self.lines("Bea").map { $0 + "\n" }.joined()))
            #expect(await program.end(SIGINT) == 0)
        }
    }

    @Test("with --watch, the command fails when the host ends")
    func lostHost() async throws {
        try await withPages { options, _ in
            let host = try await RunningHost.start(options)
            let program = try StartedProgram(["page", "greetings", "--json", "--watch", "--host", host.socket])
            #expect(await holds { program.output.contains("Hello Ada") }, "\(program.log)")
            #expect(await host.end(SIGKILL) == -SIGKILL)
            #expect(await program.status() == 1)
            #expect(program.log.hasPrefix("Error: "), "\(program.log)")
        }
    }

    @Test("a reader that waits for a change does not hold up the stop of the host")
    func stopped() async throws {
        try await withPages { options, _ in
            let host = try await RunningHost.start(options + ["--grace", "3000"])
            let program = try StartedProgram(["page", "greetings", "--no-actions", "--watch", "--host", host.socket])
            #expect(await holds { program.output.contains("Hello Ada") }, "\(program.log)")
            #expect(await holds { try await host.list().standardOutput.contains("call in flight") })
            #expect(await host.end() == 0)
            #expect(host.log.contains("stopped; all calls had ended"), "\(host.log)")
            #expect(await program.status() == 1)
            #expect(program.log.hasPrefix("Error: "), "\(program.log)")
        }
    }

    @Test("a host whose data directory another one uses says why it has no pages of operators")
    func usedData() async throws {
        let data = try TemporaryDirectory()
        try await withPlugins("ComponentPages") { plugins in
            let options = ["--plugins", plugins.path, "--data", data.path]
            let host = try await RunningHost.start(options)
            let run = try await hslink(["pages"] + options)
            let problem = "the page files of operators are not read: the data directory \"\(data.path)\" is in use by "
            #expect(run.standardOutput.contains("\npages: \(problem)process \(host.identifier) (hslink)"), "\(run)")
            #expect(await host.end() == 0)
        }
    }

    @Test("pages lists the pages and what is wrong with them, and with --modules the modules")
    func lists() async throws {
        try await withPages { options, folder in
            try folder.write("{\n  \"title\": 3\n}", to: "wrong.json")
            let run = try await hslink(["pages"] + options)
            #expect(run.status == 0)
            let lines = run.standardOutput.split(separator: "\n").map(String.init)
            #expect(lines.first?.split(separator: " ") == ["PAGE", "TITLE", "SOURCE", "MODULES"])
            #expect(
                lines.contains { $0.hasPrefix("greetings  Greetings") && $0.hasSuffix("fixture.greeting") }, "\(lines)")
            #expect(lines.contains { $0.contains("wrong.json:") }, "\(lines)")
            let modules = try await hslink(["pages", "--modules"] + options)
            let rows = modules.standardOutput.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(rows.first == ["MODULE", "COMPONENT", "DATA", "PAGES"])
            #expect(
                rows.contains {
                    $0.prefix(2) == ["fixture.greeting", "FixtureComponent"] && $0.last == "greetings"
                }, "\(rows)")
            #expect(rows.contains { $0.prefix(2) == ["fixture.isHome", "(condition)"] }, "\(rows)")
            let json = try await hslink(["pages", "--json"] + options)
            #expect(json.standardOutput.hasPrefix(#"{"pages":[{"#))
        }
    }
}
