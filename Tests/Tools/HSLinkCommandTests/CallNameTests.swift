import ComponentHost
import ComponentKit
import HostControl
import TestSupport
import Testing

@testable import hslink

@Suite("hslink call: names of classes and selectors")
struct CallNameTests {
    @Test(
        "a class and a selector in one word are answered with the command, without the payload",
        arguments: [
            (["CGoodLink.sum", "a=1", "b=2"], "CGoodLink sum …"),
            (["CGoodLink.echo", #"{"a": 1}"#], "CGoodLink echo …"),
            (["CGoodLink.kind"], "CGoodLink kind"), (["hslink.Host.contents"], "hslink.Host contents"),
        ])
    func oneWord(arguments: [String], meant: String) async throws {
        try await withPlugins("CGood") { plugins in
            let run = try await hslink(["call"] + arguments + ["--plugins", plugins.path])
            #expect(run.status == 1)
            #expect(
                run.standardError.hasSuffix(
                    "no component has this class\n"
                        + "The selector is a word of its own: hslink call \(meant) --plugins \(plugins.path)\n"),
                "\(run)")
        }
    }

    @Test("the classes that every host has are listed, here and in a running host")
    func ownClasses() async throws {
        try await withPlugins { plugins async throws in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            for place in [["--plugins", plugins.path], ["--host", host.socket]] {
                let run = try await hslink(["call", "hslink.Host"] + place)
                #expect(run.status == 0)
                #expect(run.standardOutput.hasPrefix("hslink.Host of every host\n"), "\(run)")
                let lines = run.standardOutput.split(separator: "\n")
                #expect(lines.contains { $0.hasPrefix("load ") && $0.contains("component: String") }, "\(run)")
            }
            let json = try await hslink("call", "hslink.Services", "--json", "--plugins", plugins.path)
            #expect(json.standardOutput.hasPrefix(#"{"class":"hslink.Services","component":"host","#), "\(json)")
            #expect(await host.end() == 0)
        }
    }

    @Test("a class method of the host is found without --class-method, and a wrong selector leads to the list")
    func ownSelectors() async throws {
        try await withPlugins("CGood") { plugins async throws in
            let place = ["--plugins", plugins.path]
            let provides = ["call", "hslink.Services", "provides", "service=com.example.none/1"]
            #expect(try await hslink(provides + place) == printed("false"))
            let wrong = try await hslink(["call", "hslink.Host", "explode"] + place)
            #expect(
                wrong.standardError.hasSuffix(
                    "'hslink call hslink.Host --plugins \(plugins.path)' lists the selectors of the class.\n"),
                "\(wrong)")
        }
    }

    @Test(
        "a message of several lines is printed as lines, of which none looks like another message",
        arguments: [
            ("one", "one"), ("one\ntwo", "one\n  two"), ("one\n\nError: two\n", "one\n  Error: two"),
            ("a\u{1B}[2J\n\u{202E}b", "a\\u{1b}[2J\n  \\u{202e}b"),
        ])
    func lines(message: String, shown: String) {
        #expect(message.escapedMessage == shown)
        #expect(CallError("methodFailed", message).text == shown)
    }

    @Test("the limit is a number of seconds or none, and 60 seconds without any")
    func limits() throws {
        #expect(CallLimit.standard.duration == .seconds(60))
        #expect(try CallLimit("none").duration == nil)
        #expect(try CallLimit("0.5").duration == .milliseconds(500))
        #expect(throws: (any Error).self) { try CallLimit("soon") }
        let call = CallDescription("A", "b")
        func hint(_ limit: CallLimit, className: String = "") -> String? {
            let error = LinkError(.deadlineExceeded, className: className)
            return CallReport(.failed(error), of: call, in: .empty, at: .directories([])).limited(by: limit, of: call)
                .hint
        }
        #expect(hint(.standard) == CallLimit.advice)
        #expect(hint(.standard, className: "A") == CallLimit.advice)
        #expect(hint(.none) == nil)
        // The method has passed on the error of a call that it has limited itself.
        #expect(hint(.standard, className: "Other") == nil)
    }
}
