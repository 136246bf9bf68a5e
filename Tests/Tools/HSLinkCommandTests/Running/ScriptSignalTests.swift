import Foundation
import TestSupport
import Testing

@Suite("Scripts of calls as they run")
struct ScriptSignalTests {
    @Test("each line is answered before the next one is written")
    func dialogue() async throws {
        try await withPlugins("CGood") { plugins in
            let input = Pipe()
            let program = try StartedProgram(["call", "-", "--plugins", plugins.path], standardInput: input)
            for (line, output) in [("echo 1", "1\n"), ("echo $1", "1\n1\n")] {
                try input.fileHandleForWriting.write(contentsOf: Data("CGoodLink \(line)\n".utf8))
                #expect(await holds { program.output == output })
            }
            try input.fileHandleForWriting.close()
            #expect(await program.status() == 0)
        }
    }

    @Test("a signal cancels the call and ends the script", arguments: [SIGINT, SIGTERM])
    func call(number: Int32) async throws {
        try await withPlugins("FixtureComponent") { plugins in
            let input = Pipe()
            let program = try StartedProgram(
                ["call", "-", "--keep-going", "--plugins", plugins.path], standardInput: input)
            let lines = "FixtureLink twin\nFixtureLink asyncSleep seconds=600\nFixtureLink twin\n"
            try input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
            #expect(await holds { program.output == "\"object\"\n" })
            #expect(await program.end(number) == 128 + number)
            #expect(program.output == "\"object\"\n")
            // The signal may come before the second call has begun, or before its class has been looked up.
            let told = ["FixtureLink", "FixtureLink in FixtureComponent"]
                .map { "Error: line 2: asyncSleep of \($0): the call was cancelled\n" }
            #expect((told + [""]).contains(program.log), "\(program.log)")
        }
    }

    @Test("a signal ends a script that waits for a line")
    func waiting() async throws {
        try await withPlugins("CGood") { plugins in
            let input = Pipe()
            let program = try StartedProgram(["call", "-", "--plugins", plugins.path], standardInput: input)
            try input.fileHandleForWriting.write(contentsOf: Data("CGoodLink echo 1\n".utf8))
            #expect(await holds { program.output == "1\n" })
            #expect(await program.end(SIGINT) == 130)
            #expect(program.log == "")
        }
    }

    @Test("a call in a running host is cancelled there")
    func remote() async throws {
        try await withPlugins("FixtureComponent") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            let input = Pipe()
            let program = try StartedProgram(["call", "-", "--host", host.socket], standardInput: input)
            try input.fileHandleForWriting.write(contentsOf: Data("FixtureLink asyncSleep seconds=600\n".utf8))
            #expect(await holds { try await host.call("FixtureLink", "asyncSleeps") == printed("1") })
            #expect(await program.end(SIGINT) == 130)
            let call = "asyncSleep of FixtureLink in FixtureComponent"
            #expect(program.log == "Error: line 1: \(call): the call was cancelled\n")
            #expect(await holds { try await host.call("FixtureLink", "wasCancelled") == printed("1") })
            #expect(await host.end() == 0)
        }
    }
}
