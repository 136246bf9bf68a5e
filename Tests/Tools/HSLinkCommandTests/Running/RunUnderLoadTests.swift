import Foundation
import TestSupport
import Testing

@Suite("hslink run: under load")
struct RunUnderLoadTests {
    @Test("clients that endlessly send large requests delay neither other requests nor the stop")
    func flood() async throws {
        try await withPlugins("StopTracker") { plugins in
            let directory = try TemporaryDirectory()
            let mark = directory.path(of: "mark")
            let host = try await RunningHost.start(
                ["--plugins", plugins.path, "--grace", "\(TestPatience.seconds(1))"],
                environment: ["HSLINK_MARK_DESTROY": mark])
            #expect(try await host.call("StopTrackerLink", "sleep", "seconds=0", "--class-method") == printed("true"))
            let frame = BareClient.frame("StopTrackerLink", "sleep", zeros: 990_000)
            for _ in 0..<30 { try BareClient(host.socket).sendWithoutEnd(frame) }
            for _ in 0..<3 { #expect(try await host.list().status == 0) }
            #expect(await host.end() == 0)
            #expect(host.log.contains("stopped; all calls had ended"))
            #expect(try Data(contentsOf: URL(filePath: mark)).count == 1)
        }
    }

    @Test("a quick method that blocks is logged, and delays neither others nor the stop")
    func blocked() async throws {
        try await withPlugins("Hangs", "StopTracker") { plugins in
            let directory = try TemporaryDirectory()
            let mark = directory.path(of: "mark")
            let host = try await RunningHost.start(
                ["--plugins", plugins.path, "--grace", "0.5"], environment: ["HSLINK_MARK_DESTROY": mark])
            // Loaded first, because the host runs only loaded methods as quick.
            #expect(try await host.call("HangsLink", "inside", "--class-method") == printed("0"))
            #expect(try await host.call("StopTrackerLink", "sleep", "seconds=0", "--class-method") == printed("true"))
            async let call = host.call("HangsLink", "hangQuick", "--class-method", "--deadline", "100")
            #expect(await host.logs("hangQuick of HangsLink is declared quick"))
            // Its methods no longer run as quick, and other loops serve other clients.
            for _ in 0..<4 {
                let late = try await host.call("HangsLink", "hangQuick", "--class-method", "--deadline", "0.2")
                #expect(late.standardError.contains("the deadline passed"), "\(late)")
            }
            #expect(try await host.list().status == 0)
            let cut = try await call
            #expect(cut.status == 1)
            #expect(cut.standardError.contains("hangQuick of HangsLink"), "\(cut)")
            #expect(await host.end() == 0)
            #expect(host.log.contains("not destroyed because threads are still in them: Hangs"))
            #expect(try Data(contentsOf: URL(filePath: mark)).count == 1)
        }
    }

    @Test(
        "of quick methods that call each other, the innermost is blamed for blocking",
        arguments: [
            ["AsksHangsLink", "run"], ["hslink.Events", "post", "event=org.hslink.fixture/hang"],
        ])
    func innermost(call: [String]) async throws {
        try await withPlugins("Hangs", "AsksHangs") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path, "--grace", "0.5"])
            // Loaded first, because the host runs only loaded methods as quick.
            #expect(try await host.call("HangsLink", "inside", "--class-method") == printed("0"))
            #expect(try await host.call("AsksHangsLink", "now", "--class-method") == printed("true"))
            let last = try await host.call("hslink.Events", "last", "event=a/b", "--class-method")
            #expect(last == printed("null"))
            let arguments = ["call", "--host", host.socket] + call + ["--class-method", "--deadline", "100"]
            async let blocked = hslink(arguments)
            #expect(await host.logs("hangQuick of HangsLink is declared quick"))
            let cut = try await blocked
            #expect(cut.standardError.contains("hangQuick of HangsLink"), "\(cut)")
            #expect(host.log.components(separatedBy: "is declared quick").count == 2, "\(host.log)")
            #expect(await host.end() == 0)
        }
    }

    @Test("a log that is not read does not delay the stop")
    func unreadLog() async throws {
        try await withPlugins("CGood") { plugins in
            let log = Pipe()
            // Full before the first line.
            let end = log.fileHandleForWriting.fileDescriptor
            #expect(fcntl(end, F_SETFL, O_NONBLOCK) == 0)
            while unsafe write(end, [0], 1) == 1 {}
            #expect(fcntl(end, F_SETFL, 0) == 0)
            let directory = try TemporaryDirectory()
            let socket = directory.path(of: "socket")
            let program = try StartedProgram(
                [
                    "run", "--plugins", plugins.path, "--control", socket, "--data", directory.path(of: "data"),
                    "--grace", "1",
                ], standardError: log.fileHandleForWriting)
            let answers = await holds { (try? await hslink("list", "--host", socket).status) == 0 }
            #expect(answers)
            #expect(await program.end(SIGTERM) == 0)
            withExtendedLifetime(log) {}
        }
    }

    @Test("programs that components start inherit no connection of the host")
    func descriptors() async throws {
        try await withPlugins("CGood") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            let client = try BareClient(host.socket)
            // This comes after the client, so the client was accepted before.
            #expect(try await host.list().status == 0)
            // The system's list of sockets is read in pieces, and may lack some while others open and close.
            let areClosed = await holds {
                let modes = try Self.modes(ofSocketsNamed: host.socket, in: "/proc/\(host.identifier)")
                #expect(modes.allSatisfy { $0 & O_CLOEXEC != 0 }, "\(modes)")
                return modes.count >= 2
            }
            #expect(areClosed)
            withExtendedLifetime(client) {}
            #expect(await host.end() == 0)
        }
    }

    /// The flags of the process's descriptors for the listening socket and its clients, which have the same name.
    private static func modes(ofSocketsNamed path: String, in process: String) throws -> [Int32] {
        // Other programs may have sockets whose names are no UTF-8.
        let list = try FileHandle(forReadingFrom: URL(filePath: "\(process)/net/unix")).readToEnd() ?? Data()
        let own = String(decoding: list, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasSuffix(" \(path)") }.map { "socket:[\($0.split(separator: " ")[6])]" }
        return try FileManager.default.contentsOfDirectory(atPath: "\(process)/fd").compactMap { name in
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(process)/fd/\(name)"),
                own.contains(target),
                let info = try? String(contentsOfFile: "\(process)/fdinfo/\(name)", encoding: .utf8),
                let flags = info.split(separator: "\n").first(where: { $0.hasPrefix("flags:") })
            else { return nil }
            return Int32(flags.dropFirst(6).trimmingCharacters(in: .whitespaces), radix: 8)
        }
    }
}
