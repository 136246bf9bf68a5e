import Foundation
import TestSupport
import Testing

@Suite("hslink run: stopping")
struct RunEndTests {
    @Test("a call in flight ends before the component is destroyed", arguments: [SIGTERM, SIGINT])
    func grace(signal: Int32) async throws {
        try await withPlugins("StopTracker") { plugins in
            let directory = try TemporaryDirectory()
            let mark = directory.path(of: "mark")
            let asleep = directory.path(of: "asleep")
            let host = try await RunningHost.start(
                ["--plugins", plugins.path, "--grace", "300"],
                environment: ["HSLINK_MARK_DESTROY": mark, "HSLINK_MARK_SLEEP": asleep])
            async let call = host.call("StopTrackerLink", "sleep", "seconds=5", "--class-method")
            #expect(await holds { try Data(contentsOf: URL(filePath: asleep)).count == 1 })
            host.signal(signal)
            #expect(await host.logs(": stopping; a second signal"))
            let refused = try await host.call("StopTrackerLink", "sleep", "seconds=0", "--class-method")
            #expect(refused.status == 1)
            #expect(try await call == printed("true"))
            #expect(await host.status() == 0)
            #expect(try Data(contentsOf: URL(filePath: mark)).count == 1)
            #expect(host.log.contains("stopped; all calls had ended"))
        }
    }

    @Test("a signal during the start ends the start, and what has started is stopped", arguments: [true, false])
    func starting(hangs: Bool) async throws {
        try await withPlugins("StartsSlowly", "StartsWell") { plugins in
            let directory = try TemporaryDirectory()
            let host = try await RunningHost.start(
                ["--plugins", plugins.path, "--grace", hangs ? "0.3" : "60"],
                environment: ["HSLINK_GATE": directory.path(of: "gate")], until: "StartsSlowly starts")
            host.signal(SIGTERM)
            #expect(await host.logs(": stopping; a second signal"))
            if !hangs { try directory.write("", to: "gate") }
            #expect(await host.status() == 0)
            #expect(!host.log.contains("StartsWell starts"))
            #expect(!host.log.contains("listening at"))
            #expect(host.log.contains("StartsSlowly: still starting after the stop deadline") == hangs)
        }
    }

    @Test("while a component starts, the host lists it and answers calls to others")
    func answersMeanwhile() async throws {
        try await withPlugins("StartsSlowly", "CGood") { plugins in
            let directory = try TemporaryDirectory()
            let host = try await RunningHost.start(
                ["--plugins", plugins.path], environment: ["HSLINK_GATE": directory.path(of: "gate")],
                until: "StartsSlowly starts")
            #expect(
                try await host.list().standardOutput.split(separator: "\n").contains { row in
                    row.split(separator: " ").prefix(4) == ["StartsSlowly", "1.0.0", "-", "starting"]
                })
            #expect(try await host.call("CGoodLink", "sum", "a=1", "b=2", "--class-method") == printed("3"))
            #expect(!host.log.contains("listening at"))
            try directory.write("", to: "gate")
            #expect(await host.logs("listening at"))
            #expect(await host.end() == 0)
        }
    }

    @Test("a call that never ends is cancelled after the grace, and answered")
    func cancelled() async throws {
        try await withPlugins("NeverReplies") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path, "--grace", "0.3"])
            async let call = host.call("NeverRepliesLink", "run", "--class-method")
            #expect(await holds { try await host.call("NeverRepliesLink", "begun", "--class-method") == printed("1") })
            #expect(await host.end() == 0)
            #expect(
                try await call == failed("Error: run of NeverRepliesLink in NeverReplies: the call was cancelled"))
            #expect(host.log.contains("stopped; 1 call was cancelled"))
        }
    }

    @Test("a paused host does not hold up a client with a deadline")
    func held() async throws {
        try await withPlugins("NeverReplies") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            host.signal(SIGSTOP)
            let start = ContinuousClock.now
            let call = try await host.call("NeverRepliesLink", "run", "--class-method", "--deadline", "0.1")
            // Shorter than the timeout of a request to the host.
            #expect(ContinuousClock.now - start < .seconds(25))
            #expect(call.status == 1)
            #expect(call.standardError.contains("the host did not answer in time"), "\(call)")
            host.signal(SIGCONT)
            #expect(try await host.list().status == 0)
            #expect(await host.end() == 0)
        }
    }

    @Test("a thread that is stuck in a component does not delay the stop")
    func stuck() async throws {
        try await withPlugins("RepliesLate") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path, "--grace", "0.2"])
            _ = try await host.call("RepliesLateLink", "lateReplies", "--class-method")
            var isStuck = false
            // A deadline may pass before the method begins.
            for deadline in ["0.1", "1", "10"] where !isStuck {
                let call = try await host.call(
                    "RepliesLateLink", "sleep", #"{"seconds": 60, "data": {"$bytes": ""}}"#, "--class-method",
                    "--deadline", deadline)
                #expect(call.standardError.contains("the deadline passed"))
                let list = try await host.list()
                isStuck = list.standardOutput.contains("1 thread still running after the call ended")
            }
            #expect(isStuck)
            #expect(await host.end() == 0)
            #expect(host.log.contains("not destroyed because threads are still in them: RepliesLate"))
        }
    }

    @Test(
        "a second signal ends it at once",
        arguments: [(SIGTERM, SIGTERM), (SIGTERM, SIGINT), (SIGINT, SIGINT)])
    func second(first: Int32, second: Int32) async throws {
        try await withPlugins("NeverReplies") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path, "--grace", "100000"])
            async let call = host.call("NeverRepliesLink", "run", "--class-method")
            #expect(await holds { try await host.list().standardOutput.contains("1 call in flight") })
            host.signal(first)
            #expect(await host.logs(": stopping; a second signal"))
            #expect(await host.end(second) == 128 + second)
            let ended = try await call
            #expect(ended.status == 1)
            #expect(
                ended.standardError
                    == "Error: run of NeverRepliesLink: the host closed the connection before it answered; "
                    + "it was stopped or has crashed\n")
        }
    }

    @Test("the socket of a killed host is replaced, that of a running host is not")
    func stale() async throws {
        try await withPlugins("CGood") { plugins in
            let first = try await RunningHost.start(["--plugins", plugins.path])
            let error = await #expect(throws: RunningHost.Ended.self) {
                _ = try await RunningHost.start(["--plugins", plugins.path], socket: first.socket)
            }
            let words = "Error: process \(first.identifier) (hslink) listens at \(first.socket); stop it, or"
            #expect(error?.log.contains(words) == true, "\(String(describing: error))")
            #expect(try await first.call("CGoodLink", "echo", "1", "--class-method") == printed("1"))
            #expect(await first.end(SIGKILL) == -SIGKILL)
            let dead = try await first.call("CGoodLink", "echo", "1", "--class-method")
            #expect(
                dead == failed("Error: no host listens at \(first.socket) any more; start one with 'hslink run'"))
            let second = try await RunningHost.start(["--plugins", plugins.path], socket: first.socket)
            #expect(try await second.call("CGoodLink", "echo", "1", "--class-method") == printed("1"))
            #expect(await second.end() == 0)
        }
    }

    @Test("only the owner can use the socket, whatever the umask")
    func mode() async throws {
        try await withPlugins { plugins in
            let directory = try TemporaryDirectory()
            let script = """
                umask 0
                "$0" run --plugins "$1" --control "$2/socket" --data "$2/data" &
                host=$!
                until [ -S "$2/socket" ]; do sleep 0.05; done
                stat -c %a "$2/socket"
                kill -TERM $host
                wait $host
                """
            let run = try await ProgramRun.of(
                URL(filePath: "/bin/sh"), ["-c", script, BuiltProducts.hslink.path, plugins.path, directory.path])
            #expect(run.standardOutput.contains("600\n"))
            #expect(run.status == 0)
        }
    }

    @Test("a signal that arrives as soon as the socket exists stops the host in order")
    func earlySignal() async throws {
        try await withPlugins { plugins in
            let directory = try TemporaryDirectory()
            let script = """
                "$0" run --plugins "$1" --control "$2/socket" --data "$2/data" &
                host=$!
                until [ -S "$2/socket" ]; do :; done
                kill -TERM $host
                wait $host
                """
            for _ in 1...5 {
                let run = try await ProgramRun.of(
                    URL(filePath: "/bin/sh"), ["-c", script, BuiltProducts.hslink.path, plugins.path, directory.path])
                #expect(run.status == 0)
            }
        }
    }

    @Test("a host whose table cannot be written stays up", arguments: [">&-", ">/dev/full", "<&- >&- 2>&-"])
    func noOutput(redirection: String) async throws {
        try await withPlugins { plugins in
            let directory = try TemporaryDirectory()
            let script = """
                "$0" run --plugins "$1" --control "$2/socket" --data "$2/data" \(redirection) &
                host=$!
                until "$0" list --host "$2/socket" >/dev/null 2>&1; do kill -0 $host || exit 9; done
                kill -TERM $host
                wait $host
                """
            let run = try await ProgramRun.of(
                URL(filePath: "/bin/sh"), ["-c", script, BuiltProducts.hslink.path, plugins.path, directory.path])
            #expect(run.status == 0)
            #expect(!FileManager.default.fileExists(atPath: directory.path(of: "socket")))
        }
    }

    @Test("another user is refused, even if the permissions allow access", .enabled(if: geteuid() == 0))
    func otherUser() async throws {
        try await withPlugins { plugins in
            let directory = try TemporaryDirectory()
            try directory.setMode(0o755, of: ".")
            let socket = directory.path(of: "socket")
            let host = try await RunningHost.start(["--plugins", plugins.path], socket: socket)
            let program = directory.path(of: "hslink")
            try FileManager.default.copyItem(atPath: BuiltProducts.hslink.path, toPath: program)
            func asNobody(_ arguments: String...) async throws -> ProgramRun {
                try await ProgramRun.of(
                    URL(filePath: "/usr/bin/setpriv"),
                    ["--reuid", "65534", "--regid", "65534", "--clear-groups"] + arguments)
            }
            let before = try await asNobody(program, "list", "--host", socket)
            let words = "the control socket \(socket) belongs to another user; call as the user who runs the host"
            #expect(before == failed("Error: \(words)"))
            try directory.setMode(0o666, of: "socket")
            // The other user may have no access to the system's directory for temporary files.
            guard try await asNobody("/usr/bin/test", "-w", socket).status == 0 else { return }
            let after = try await asNobody(program, "list", "--host", socket)
            #expect(after == failed("Error: the host accepts calls only from its own user and from root"))
            #expect(host.log.contains("the control socket refused a client from another user"))
            #expect(await host.end() == 0)
        }
    }

    @Test("a client that is interrupted cancels its call in the host")
    func interrupted() async throws {
        try await withPlugins("NeverReplies") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            // The program would inherit an ignored signal. A call that is in flight has not always begun, and one that is
            // cancelled before never begins.
            let script = """
                env --default-signal=INT "$0" call --host "$1" NeverRepliesLink run --class-method &
                client=$!
                until [ "$("$0" call --host "$1" NeverRepliesLink begun --class-method)" = 1 ]; do sleep 0.05; done
                kill -INT $client
                wait $client
                echo $?
                until [ "$("$0" call --host "$1" NeverRepliesLink cancelled --class-method)" = 1 ]; do sleep 0.05; done
                """
            let run = try await ProgramRun.of(
                URL(filePath: "/bin/sh"), ["-c", script, BuiltProducts.hslink.path, host.socket], patience: 300)
            #expect(run == printed("130"))
            #expect(await host.end() == 0)
        }
    }

    @Test("a second host on a data directory is refused, and so is a call next to a running host")
    func data() async throws {
        try await withPlugins("KeepsData") { plugins in
            let directory = try TemporaryDirectory()
            let data = directory.path(of: "shared")
            let first = try await RunningHost.start(["--plugins", plugins.path, "--data", data])
            let second = try await hslink("run", "--plugins", plugins.path, "--data", data, "--control", "none")
            #expect(second.status == 1)
            #expect(second.standardError.contains("is in use by process \(first.identifier)"))
            let beside = try await hslink(
                "call", "KeepsDataLink", "directory", "--class-method", "--plugins", plugins.path, "--data", data)
            #expect(beside.status == 1)
            #expect(beside.standardError.contains("'hslink call --host SOCKET …'"))
            let asked = try await first.call("KeepsDataLink", "directory", "--class-method")
            #expect(asked == printed("\"\(data)/KeepsData\""))
            #expect(await first.end() == 0)
        }
    }

    @Test("hosts with the default data directory run side by side, until a component asks for data")
    func besideWithoutData() async throws {
        try await withPlugins("KeepsData") { plugins in
            let place = try TemporaryDirectory()
            let home: [String: String?] = ["HOME": place.path, "XDG_DATA_HOME": nil]
            let sockets = ["first", "second"].map { place.path(of: $0) }
            let hosts = try sockets.map {
                try StartedProgram(["run", "--plugins", plugins.path, "--control", $0], environment: home)
            }
            for host in hosts { #expect(await host.logs("listening at"), "\(host.log)") }
            let call = ["call", "KeepsDataLink", "directory", "--class-method", "--host"]
            #expect(
                try await hslink(call + [sockets[0]]) == printed("\"\(place.path)/.local/share/hslink/KeepsData\""))
            let second = try await hslink(call + [sockets[1]])
            #expect(second.status == 1)
            #expect(second.standardError.contains("is in use by process \(hosts[0].identifier)"), "\(second)")
            #expect(
                second.standardError.hasSuffix(
                    "Start this host with a data directory of its own: 'hslink run --data DIR'.\n"), "\(second)")
            for host in hosts { #expect(await host.end() == 0) }
        }
    }

    @Test("a data directory that HSLINK_DATA names is claimed at the start")
    func namedData() async throws {
        try await withPlugins("CGood") { plugins in
            let place = try TemporaryDirectory()
            let first = try await RunningHost.start(["--plugins", plugins.path, "--data", place.path(of: "data")])
            let second = try await hslink(
                "run", "--plugins", plugins.path, "--control", "none",
                environment: ["HSLINK_DATA": place.path(of: "data")])
            #expect(second.status == 1)
            #expect(second.standardError.contains("is in use by process \(first.identifier)"))
            #expect(await first.end() == 0)
        }
    }

    @Test("the help shows the default of the grace")
    func graceHelp() async throws {
        let help = try await hslink("run", "--help").standardOutput
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("may continue after the first signal. (default: 5)"))
    }

    @Test(
        "a wrong command line is an error at once",
        arguments: [
            ["--grace", "soon"], ["--grace", "-1"], ["--log-format", "xml"], ["--control", ""], ["extra"],
        ])
    func usage(arguments: [String]) async throws {
        #expect(try await hslink(["run"] + arguments).status == 64)
    }
}
