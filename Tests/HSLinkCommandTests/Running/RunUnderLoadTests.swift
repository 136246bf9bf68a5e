import Foundation
import TestSupport
import Testing

@Suite("hslink run: what clients and components do to it")
struct RunUnderLoadTests {
    @Test("a log that nobody reads does not hold up the end")
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
            let answers = await comes { (try? await hslink("list", "--host", socket).status) == 0 }
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
            // Later than the client, so that was taken in before.
            #expect(try await host.list().status == 0)
            let process = "/proc/\(host.identifier)"
            // The one that listens and those of clients have its name; this process may have left others.
            let own = try String(contentsOfFile: "\(process)/net/unix", encoding: .utf8).split(separator: "\n")
                .filter { $0.hasSuffix(" \(host.socket)") }.map { "socket:[\($0.split(separator: " ")[6])]" }
            var sockets = 0
            for name in try FileManager.default.contentsOfDirectory(atPath: "\(process)/fd") {
                guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(process)/fd/\(name)"),
                    own.contains(target),
                    let info = try? String(contentsOfFile: "\(process)/fdinfo/\(name)", encoding: .utf8),
                    let flags = info.split(separator: "\n").first(where: { $0.hasPrefix("flags:") }),
                    let mode = Int32(flags.dropFirst(6).trimmingCharacters(in: .whitespaces), radix: 8)
                else { continue }
                sockets += 1
                #expect(mode & O_CLOEXEC != 0, "descriptor \(name): \(flags)")
            }
            #expect(sockets >= 2)
            withExtendedLifetime(client) {}
            #expect(await host.end() == 0)
        }
    }
}
