import Foundation
import TestSupport
import Testing

@Suite("hslink run: added and removed components")
struct RunningHostTests {
    @Test("the table and the socket are shown at the start")
    func start() async throws {
        try await withPlugins("CGood", "NeedsMissing") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            let list = try await hslink("list", "--plugins", plugins.path)
            #expect(host.output == list.standardOutput)
            #expect(host.log.contains(" info: listening at \(host.socket)\n"))
            #expect(await host.end() == 0)
            #expect(host.log.contains("SIGTERM: stopping"))
            #expect(host.log.contains("stopped; all calls had ended"))
            #expect(!FileManager.default.fileExists(atPath: host.socket))
        }
    }

    @Test("the command about a socket that another host has is safe to copy into a shell")
    func taken() async throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path(of: "a;b 'c'")
        try await withPlugins { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path], socket: socket)
            let second = try await hslink(
                "run", "--control", socket, "--data", directory.path(of: "data"), "--plugins", plugins.path)
            #expect(second.status == 1)
            let command = #"'hslink list --host '\#(directory.path)/a;b '\''c'\'''' lists its components."#
            #expect(second.standardError.contains(command), "\(second.standardError)")
            #expect(await host.end() == 0)
        }
    }

    @Test("an added file can be called without a restart, a removed one can no longer be called")
    func comesAndGoes() async throws {
        try await withPlugins("CxxGood") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            #expect(try await host.call("CGoodLink", "sum", "a=1", "b=2", "--class-method").status == 1)
            try plugins.add("CGood")
            #expect(await host.logs("info CGood: appeared, version 1.0.0"))
            #expect(try await host.call("CGoodLink", "sum", "a=1", "b=2", "--class-method") == printed("3"))
            for name in ["libCGood.so", "libCxxGood.so"] { try plugins.delete(name) }
            #expect(await host.logs("warning CGood: vanished"))
            #expect(await host.logs("warning CxxGood: vanished"))
            #expect(try await host.call("CGoodLink", "sum", "a=1", "b=2", "--class-method") == printed("3"))
            let gone = try await host.call("CxxGoodLink", "echo", "1", "--class-method")
            #expect(gone.standardError.hasPrefix("Error: echo of CxxGoodLink: no component has this class\n"))
            let list = try await host.list()
            #expect(list.standardOutput.contains("its file is gone; it keeps running until the host stops"))
            #expect(!list.standardOutput.contains("CxxGood"))
            #expect(await host.end() == 0)
        }
    }

    @Test("a directory that is missing at the start is logged and searched once it exists, and ends a strict host")
    func missingDirectory() async throws {
        try await withPlugins("CGood") { plugins async throws in
            let place = try TemporaryDirectory()
            let later = place.path(of: "later")
            let strict = try await hslink(
                "run", "--strict", "--plugins", later, "--control", "none", "--data", place.path(of: "data"))
            #expect(
                strict
                    == failed(
                        "Error: \(later): not searched: the system could not find it: No such file or directory"))
            let host = try await RunningHost.start(["--plugins", later])
            #expect(
                host.log.contains(
                    " warning \(later): not searched: the system could not find it: No such file or directory; the "
                        + "host searches it as soon as it exists\n"), "\(host.log)")
            try FileManager.default.moveItem(atPath: plugins.path, toPath: later)
            #expect(await host.logs("CGood: appeared, version 1.0.0"))
            #expect(try await host.call("CGoodLink", "sum", "a=1", "b=2", "--class-method") == printed("3"))
            #expect(await host.end() == 0)
        }
    }

    @Test("a newer version waits for a restart if the older one is in memory, and is used otherwise")
    func versions() async throws {
        try await withPlugins("VersionedOld") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            try plugins.replace("libVersionedOld.so", with: "VersionedNew")
            #expect(await host.logs("version 2.0.0 replaces 1.0.0"))
            try plugins.replace("libVersionedOld.so", with: "VersionedOld")
            #expect(await host.logs("version 1.0.0 replaces 2.0.0"))
            #expect(try await host.call("VersionedLink", "version", "--class-method") == printed("\"1.0.0\""))
            try plugins.replace("libVersionedOld.so", with: "VersionedNew")
            #expect(await host.logs("version 2.0.0 is on disk, 1.0.0 is in memory"))
            #expect(try await host.call("VersionedLink", "version", "--class-method") == printed("\"1.0.0\""))
            let list = try await host.list()
            #expect(list.standardOutput.contains("Versioned  1.0.0    -      running"))
            #expect(list.standardOutput.contains("restart to use 2.0.0"))
            let json = try await host.list("--json")
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8)) as? [String: Any])
            let row = try #require((object["components"] as? [[String: Any]])?.first)
            #expect(row["restartVersion"] as? String == "2.0.0")
            #expect(row["state"] as? String == "running")
            #expect(object["process"] as? Int32 == host.identifier)
            #expect(await host.end(SIGINT) == 0)
        }
    }

    @Test("a partly copied file is never loaded, and used once it is complete")
    func halfCopied() async throws {
        try await withPlugins { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            let (handle, rest) = try plugins.beginCopy(of: "CGood", as: "libCGood.so", bytes: 3000)
            // Something else makes the host rescan meanwhile.
            try plugins.add("CxxGood")
            #expect(await host.logs("CxxGood: appeared"))
            #expect(try await host.call("CGoodLink", "sum", "a=1", "b=2", "--class-method").status == 1)
            #expect(host.log.contains("libCGood.so: not used: "))
            try handle.write(contentsOf: rest)
            try handle.close()
            #expect(await host.logs("CGood: appeared"))
            #expect(try await host.call("CGoodLink", "sum", "a=1", "b=2", "--class-method") == printed("3"))
            #expect(await host.end() == 0)
        }
    }

    @Test("SIGHUP rescans the directories")
    func hangup() async throws {
        try await withPlugins("CGood") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            host.signal(SIGHUP)
            #expect(await host.logs("SIGHUP: rescanning the directories"))
            #expect(try await host.call("CGoodLink", "sum", "a=1", "b=2", "--class-method") == printed("3"))
            #expect(await host.end() == 0)
        }
    }

    @Test("every line of the JSON log is an object, even for files with hostile names")
    func jsonLog() async throws {
        try await withPlugins("CGood", "CreateFails", "NeedsMissing") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path, "--log-format", "json"])
            try plugins.write("\u{1B}]0;title\u{7}", to: "lib\u{1B}[2J\n\"\\\u{202E}.so")
            #expect(await host.logs("fileRefused"))
            _ = try await host.call("CreateFailsLink", "run", "--class-method")
            #expect(await host.end() == 0)
            let lines = host.log.split(separator: "\n")
            for line in lines {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
                #expect(object?["time"]?.hasSuffix("Z") == true)
                #expect(object?["level"] != nil)
                #expect(object?["message"]?.isEmpty == false)
                #expect(!line.unicodeScalars.contains { $0.value < 0x20 })
            }
            #expect(
                lines.contains {
                    $0.contains(#""level":"info","message":"available","component":"CGood","version":"1.0.0""#)
                })
            // Found at the start.
            #expect(
                lines.contains {
                    $0.contains(#""level":"warning","message":"failed: "#)
                        && $0.contains(#""component":"NeedsMissing""#)
                })
            #expect(!host.log.contains("\u{202E}"))
            #expect(lines.contains { $0.contains(#""change":"fileRefused""#) })
            #expect(lines.contains { $0.contains(#""level":"warning""#) && $0.contains("not loaded") })
            #expect(host.output.isEmpty)
        }
    }

    @Test("the text log has no control sequences and no forged lines")
    func textLog() async throws {
        try await withPlugins { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            try plugins.write("\u{1B}[2J", to: "lib\u{1B}[2J\nerror: forged\u{202E}.so")
            #expect(await host.logs("not used"))
            #expect(await host.end() == 0)
            #expect(!host.log.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
            #expect(!host.log.contains("\u{202E}"))
            #expect(host.log.contains("lib\\u{1b}[2J\\nerror: forged\\u{202e}.so: not used"))
        }
    }

    @Test("without inotify watches, the host logs that and polls")
    func noWatches() async throws {
        // A private limit needs a separate namespace.
        let probe = try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"),
            ["unshare", "-Ur", "sh", "-c", "echo 0 > /proc/sys/user/max_inotify_instances"])
        guard probe.status == 0 else { return }
        try await withPlugins { plugins in
            let directory = try TemporaryDirectory()
            let socket = directory.path(of: "socket")
            let script = """
                echo 0 > /proc/sys/user/max_inotify_instances
                "$0" run --plugins "$1" --control "$2" --data "$3" &
                host=$!
                while [ ! -S "$2" ]; do sleep 0.05; done
                cp "$4" "$1/libCGood.so"
                until "$0" call --host "$2" CGoodLink sum a=1 b=2 --class-method 2> "$3.err"; do sleep 0.2; done
                kill -TERM $host
                wait $host
                """
            let run = try await ProgramRun.of(
                URL(filePath: "/usr/bin/env"),
                [
                    "unshare", "-Ur", "sh", "-c", script, BuiltProducts.hslink.path, plugins.path, socket,
                    directory.path(of: "data"), try Fixtures.file("CGood").path,
                ], patience: 300)
            #expect(run.status == 0)
            #expect(run.standardOutput.hasSuffix("3\n"))
            #expect(run.standardError.contains("are scanned every 5 seconds, because they cannot be watched: "))
            #expect(run.standardError.contains("CGood: appeared"))
        }
    }
}
