import Foundation
import TestSupport
import Testing

@Suite("hslink call prints streams and the calls of closures as they come")
struct CallStreamTests {
    @Test("a stream is printed with a value on each line, until it ends")
    func values() async throws {
        try await withPlugins("FixtureComponent") { plugins async throws in
            let call = ["call", "TypedLink", "count", "to=3", "failing=false", "--plugins", plugins.path]
            #expect(try await hslink(call) == printed("1", "2", "3"))
            #expect(
                try await hslink(call + ["--json"])
                    == printed(
                        #"{"value":1}"#, #"{"value":2}"#, #"{"value":3}"#,
                        #"{"returnValue":null,"performSuccess":true,"classIsLoad":true}"#))
        }
    }

    @Test("a stream that fails is a failure after its values")
    func failing() async throws {
        try await withPlugins("FixtureComponent") { plugins async throws in
            let call = ["call", "TypedLink", "count", "to=1", "failing=true", "--plugins", plugins.path]
            let run = try await hslink(call)
            #expect(run.status == 1)
            #expect(run.standardOutput == "1\n")
            #expect(run.standardError.hasPrefix("Error: next of stream"), "\(run)")
            let json = try await hslink(call + ["--json"])
            let lines = json.standardOutput.split(separator: "\n")
            #expect(json.status == 1)
            #expect(lines.count == 2)
            #expect(lines.first == #"{"value":1}"#)
            #expect(lines.last?.hasPrefix(#"{"returnValue":null,"performSuccess":false,"#) == true, "\(json)")
        }
    }

    @Test("a closure prints the arguments of its calls before the result")
    func closure() async throws {
        try await withPlugins("FixtureComponent") { plugins async throws in
            let call = ["call", "TypedLink", "maybe", "call=@print", "--plugins", plugins.path]
            #expect(try await hslink(call) == printed("[]", "true"))
            #expect(
                try await hslink(call + ["--json"])
                    == printed(
                        #"{"closure":"call","arguments":[]}"#,
                        #"{"returnValue":true,"performSuccess":true,"classIsLoad":true}"#))
        }
    }

    @Test("a closure is refused where it must answer something, and by a running host")
    func refused() async throws {
        try await withPlugins("FixtureComponent") { plugins async throws in
            let each = try await hslink(
                "call", "TypedLink", "each", "of=[1]", "call=@print", "--plugins", plugins.path)
            #expect(each.status == 64)
            #expect(each.standardError.hasPrefix("Error: call: @print answers nothing, but "), "\(each)")
            let host = try await RunningHost.start(["--plugins", plugins.path])
            let remote = try await host.call("TypedLink", "maybe", "call=@print")
            #expect(remote.status == 64)
            #expect(
                remote.standardError.hasPrefix("Error: call: a closure cannot be sent to a running host; "),
                "\(remote)")
            #expect(await host.end() == 0)
        }
    }
}
