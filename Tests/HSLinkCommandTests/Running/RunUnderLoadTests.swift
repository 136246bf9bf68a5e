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
}
