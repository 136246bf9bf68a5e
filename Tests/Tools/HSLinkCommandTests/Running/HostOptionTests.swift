import Foundation
import TestSupport
import Testing

@Suite("hslink call and list --host")
struct HostOptionTests {
    @Test("calls print the same as without it, and end with the same status")
    func same() async throws {
        let calls = [
            ["CGoodLink", "sum", "a=1", "b=2", "--class-method"], ["CGoodLink", "echo", "text", "--class-method"],
            ["CGoodLink", "echo", #"{"a": [1, {"$bytes": "AAE="}]}"#, "--class-method", "--json"],
            ["CGoodLink", "sum"], ["CGoodLink", "summ", "--class-method"], ["CGoodLin", "sum"],
            ["Nothing", "like", "--json"], ["CreateFailsLink", "run", "--class-method"],
            ["CreateFailsLink", "run", "--class-method", "--json"], ["MakeFailsLink", "run", "--json"],
            ["NeverRepliesLink", "run", "--class-method", "--deadline", "0.1"], ["NeedsMissingLink", "run"],
            ["CGoodLink", "sum", "a=1", "--class-method"],
        ]
        try await withPlugins("CGood", "CreateFails", "MakeFails", "NeverReplies", "NeedsMissing") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            for arguments in calls {
                let local = try await hslink(["call"] + arguments + ["--plugins", plugins.path])
                let remote = try await hslink(["call"] + arguments + ["--host", host.socket])
                #expect(remote == local, "\(arguments)")
            }
            #expect(await host.end() == 0)
        }
    }

    @Test("a call whose result cannot leave the host is performed, but not printed")
    func notPrintable() async throws {
        try await withPlugins("StaticRuntime") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            let run = try await host.call("StaticRuntimeLink", "adder", "amount=1", "--json")
            #expect(run.status == 1)
            let answer = try PrintedAnswer(run)
            #expect(answer.performSuccess)
            #expect(answer.error?.code == "notPrintable")
            #expect(answer.error?.component == "StaticRuntime")
            #expect(
                try await host.call("StaticRuntimeLink", "adder", "amount=1")
                    == failed(
                        "Error: adder of StaticRuntimeLink in StaticRuntime: performed, but the result cannot leave "
                            + "the host's process: value: expected a value that CBOR can hold, found object",
                        "Objects and streams stay in their process. Without --host, 'hslink call -' makes several "
                            + "calls in one process, and later calls can use them."))
            #expect(await host.end() == 0)
        }
    }

    @Test("hints name the host that was asked")
    func hints() async throws {
        try await withPlugins("CGood") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            for arguments in [["probe"], []] {
                let run = try await hslink(["call", "VideoLink"] + arguments + ["--host", host.socket])
                #expect(run.status == 1)
                #expect(
                    run.standardError.hasSuffix(
                        "'hslink list --all --host \(host.socket)' shows the components; 'hslink inspect FILE' shows "
                            + "a component's classes.\n"), "\(run)")
            }
            #expect(await host.end() == 0)
        }
    }

    @Test("the list comes from the running host")
    func list() async throws {
        try await withPlugins("CGood", "NeedsMissing", "TextFile", "AccountsOld") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            for arguments in [[], ["--all"]] {
                let local = try await hslink(["list", "--plugins", plugins.path] + arguments)
                let remote = try await hslink(["list", "--host", host.socket] + arguments)
                #expect(remote == local)
            }
            _ = try await host.call("CGoodLink", "echo", "1", "--class-method")
            let lines = try await host.list().standardOutput.split(separator: "\n")
            let row = lines.first { $0.hasPrefix("CGood ") }
            #expect(row?.split(separator: " ").prefix(4) == ["CGood", "1.0.0", "business", "running"])
            #expect(await host.end() == 0)
        }
    }

    @Test("names are completed from the running host")
    func completion() async throws {
        try await withPlugins("CGood") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            let words = ["hslink", "--host", host.socket, "call", ""]
            let run = try await ProgramRun.of(
                BuiltProducts.hslink, ["---completion", "call", "--", "positional@0", "4", "0"] + words,
                environment: ["SAP_SHELL": "bash"])
            #expect(run.standardOutput.contains("CGoodLink"))
            #expect(await host.end() == 0)
        }
    }

    @Test("without a host the error describes the problem with the socket")
    func noHost() async throws {
        let directory = try TemporaryDirectory()
        let missing = directory.path(of: "missing")
        let words = "there is no control socket at \(missing); 'hslink run' creates one and prints its path"
        #expect(try await hslink("call", "--host", missing, "A", "b") == failed("Error: \(words)"))
        #expect(try await hslink("list", "--host", missing) == failed("Error: \(words)"))
        let json = try PrintedAnswer(try await hslink("call", "--host", missing, "A", "b", "--json"))
        #expect(json.error?.code == "noSocket")
        #expect(!json.performSuccess)
        let file = try directory.write("text", to: "file")
        #expect(try await hslink("list", "--host", file).standardError.contains("is not a control socket"))
    }

    @Test(
        "options for a local host are refused together with --host",
        arguments: [["--plugins", "/tmp"], ["--trust-any"], ["--allow-other-compilers"], ["--log-level", "info"]])
    func excluded(arguments: [String]) async throws {
        let list = try await hslink(["list", "--host", "socket"] + arguments)
        #expect(list.status == 64)
        #expect(list.standardError.contains(arguments[0]))
        #expect(try await hslink(["call", "--host", "socket", "A", "b"] + arguments).status == 64)
        #expect(try await hslink(["call", "--host", "socket", "A", "b", "--data", "/tmp"]).status == 64)
        #expect(try await hslink(["call", "--host", "", "A", "b"]).status == 64)
    }
}
