import Foundation
import TestSupport
import Testing

@Suite("hslink stats")
struct StatsCommandTests {
    /// Calls `body` with a running host to which calls have been made.
    private func withHost(_ body: (RunningHost) async throws -> Void) async throws {
        try await withPlugins("FixtureComponent", "CGood") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            for _ in 0..<3 { _ = try await host.call("FixtureLink", "sum", "a=1", "b=2", "c=3") }
            _ = try await host.call("FixtureLink", "throwOwn")
            _ = try await host.call("FixtureLink", "throwOwn")
            _ = try await host.call("CGoodLink", "echo", "x=1", "--class-method")
            _ = try await host.call("FixtureLink", "noSuch")
            try await body(host)
            #expect(await host.end() == 0)
        }
    }

    @Test("a table of methods, those with the most calls first, and why calls have failed")
    func table() async throws {
        try await withHost { host in
            let run = try await hslink("stats", "FixtureLink", "--host", host.socket)
            #expect(run.status == 0 && run.standardError == "", "\(run)")
            let lines = run.standardOutput.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            #expect(
                lines[0].split(separator: " ") == [
                    "COMPONENT", "METHOD", "CALLS", "FAILED", "IN", "FLIGHT", "STUCK", "LATE", "P50", "P90", "P99",
                ])
            let words = lines.map { $0.split(separator: " ").map(String.init) }
            #expect(words[1].prefix(7) == ["FixtureComponent", "FixtureLink.sum", "3", "-", "-", "-", "-"])
            #expect(words[1].count == 13, "\(lines[1])")
            #expect(words[2].prefix(4) == ["FixtureComponent", "FixtureLink.throwOwn", "2", "2"])
            #expect(words[3].prefix(4) == ["FixtureComponent", "FixtureLink.-", "1", "1"])
            #expect(
                lines.suffix(3) == ["FixtureLink.throwOwn: 2 methodFailed", "FixtureLink.-: 1 selectorNotFound", ""])
            // Numbers end below the titles of their columns.
            let end = try #require(lines[0].firstRange(of: "CALLS")).upperBound
            let column = lines[0].distance(from: lines[0].startIndex, to: end)
            #expect(lines[1].prefix(column).hasSuffix(" 3"), "\(lines[1])")

            let byClass = try await hslink("stats", "CGoodLink", "--host", host.socket)
            #expect(byClass.standardOutput.split(separator: "\n").count == 2, "\(byClass)")
            let byComponent = try await hslink("stats", "FixtureComponent", "--host", host.socket)
            #expect(byComponent.standardOutput.contains("EventLink.started"), "\(byComponent)")
            #expect(byComponent.standardOutput.contains("FixtureLink.sum"))
            let all = try await hslink("stats", "--host", host.socket)
            #expect(all.standardOutput.contains("CGoodLink.echo"))
            #expect(all.standardOutput.contains("host"))
            let none = try await hslink("stats", "Nothing", "--host", host.socket)
            #expect(none.status == 0)
            #expect(none.standardOutput.split(separator: "\n").count == 1)
            #expect(none.standardError == "no calls of \"Nothing\" have been counted\n")
            // A name of another spelling is another name.
            let some = try await hslink("stats", "CGoodLink", "e\u{301}", "--host", host.socket)
            #expect(some.standardOutput.split(separator: "\n").count == 2)
            #expect(some.standardError.contains("have been counted"), "\(some)")
        }
    }

    @Test("the same as JSON, and in the text format of Prometheus")
    func forms() async throws {
        try await withHost { host in
            let run = try await hslink("stats", "FixtureLink", "--json", "--host", host.socket)
            let object = try JSONSerialization.jsonObject(with: Data(run.standardOutput.utf8)) as? [String: Any]
            let rows = object?["counters"] as? [[String: Any]] ?? []
            #expect(rows.map { $0["selector"] as? String } == ["sum", "throwOwn", ""])
            #expect(rows.first?["calls"] as? Int == 3)
            #expect(rows[1]["failures"] as? [String: Int] == ["methodFailed": 2])
            let durations = rows.first?["durations"] as? [String: Any]
            #expect(durations?["calls"] as? Int == 3)
            #expect((durations?["p99"] as? Double ?? 0) > 0)
            // The kind of the host's own methods is known.
            let call = try await hslink("call", "hslink.Counters", "all", "--host", host.socket)
            #expect(call.status == 0 && call.standardOutput.contains(#""class": "FixtureLink""#), "\(call)")
            let text = try await hslink("stats", "--prometheus", "--host", host.socket)
            #expect(text.status == 0)
            let line =
                #"hslink_calls_total{component="FixtureComponent",class="FixtureLink",selector="sum",kind="object"} 3"#
            #expect(text.standardOutput.split(separator: "\n").contains { $0 == line }, "\(text)")
            #expect(text.standardOutput.hasPrefix("# HELP hslink_calls_total "))
            #expect(text.standardOutput.contains(#"class="CGoodLink",selector="echo",kind="class"} 1"#))
        }
    }

    @Test("--watch shows the table each second with rates, and ends with status 0", arguments: [SIGINT, SIGTERM])
    func watch(signal: Int32) async throws {
        try await withHost { host in
            let program = try StartedProgram(["stats", "FixtureLink", "--watch", "--host", host.socket])
            #expect(await holds { program.output.components(separatedBy: "COMPONENT").count >= 2 })
            for _ in 0..<5 { _ = try await host.call("FixtureLink", "sum", "a=1", "b=2", "c=3") }
            #expect(await holds { program.output.contains("CALLS/S") })
            #expect(
                await holds {
                    program.output.split(separator: "\n").contains {
                        let words = $0.split(separator: " ")
                        return words.starts(with: ["FixtureComponent", "FixtureLink.sum", "8"])
                    }
                })
            #expect(await program.end(signal) == 0)
            #expect(program.log == "")
            #expect(program.output.contains("\n\nCOMPONENT"))
            let json = try StartedProgram(["stats", "FixtureLink", "--watch", "--json", "--host", host.socket])
            #expect(await holds { json.output.split(separator: "\n").count >= 2 })
            #expect(await json.end(signal) == 0)
            for line in json.output.split(separator: "\n") {
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
            }
        }
    }

    @Test("--watch reports a host that ends")
    func lostHost() async throws {
        try await withPlugins("CGood") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            let program = try StartedProgram(["stats", "--watch", "--host", host.socket])
            #expect(await holds { program.output.contains("COMPONENT") })
            #expect(await host.end() == 0)
            #expect(await program.status() == 1)
            #expect(program.log.hasPrefix("Error: "), "\(program.log)")
        }
    }

    @Test("on a terminal the table fits its width")
    func width() async throws {
        try await withHost { host in
            let text = try await PseudoTerminal.run(
                columns: 100, ["stats", "FixtureLink", "--host", host.socket], environment: ["NO_COLOR": "1"])
            let lines = text.split(separator: "\n").filter { !$0.contains(": ") }
            #expect(lines.count == 4)
            #expect(lines.allSatisfy { $0.count <= 100 }, "\(text)")
        }
    }

    @Test("without --host, the host that listens at the default socket is asked")
    func defaultSocket() async throws {
        try await withPlugins("CGood") { plugins in
            let directory = try TemporaryDirectory()
            let environment: [String: String?] = ["XDG_RUNTIME_DIR": directory.path, "RUNTIME_DIRECTORY": nil]
            let host = try await RunningHost.start(
                ["--plugins", plugins.path], environment: environment, socket: directory.path(of: "hslink.sock"))
            _ = try await host.call("CGoodLink", "echo", "x=1", "--class-method")
            let run = try await hslink(["stats", "CGood"], environment: environment)
            #expect(run.standardOutput.contains("CGoodLink.echo"), "\(run)")
            // The names of its components and classes are completed.
            let line = ["hslink", "stats", ""]
            let completion = try await ProgramRun.of(
                BuiltProducts.hslink, ["---completion", "stats", "--", "positional@0", "2", "0"] + line,
                environment: ["SAP_SHELL": "bash"].merging(environment) { $1 })
            let found = completion.standardOutput.split(separator: "\n").map(String.init)
            #expect(Set(found).isSuperset(of: ["CGood", "CGoodLink"]), "\(completion)")
            #expect(await host.end() == 0)
            let gone = try await hslink(["stats"], environment: environment)
            #expect(gone.status == 1)
            #expect(gone.standardOutput == "")
        }
    }

    @Test(
        "wrong command lines are refused",
        arguments: [
            (["stats", "--json", "--prometheus"], "--json and --prometheus cannot be combined"),
            (["stats", "--watch", "--prometheus"], "--prometheus and --watch cannot be combined"),
            (["stats", "A", "--prometheus"], "--prometheus prints all methods; leave out 'A'"),
            (["stats", "--host", ""], "--host: expected a socket, found an empty string"),
        ])
    func usage(arguments: [String], message: String) async throws {
        let run = try await hslink(arguments)
        #expect(run.status == 64)
        #expect(run.standardError.contains(message), "\(run.standardError)")
        #expect(run.standardOutput == "")
    }
}
