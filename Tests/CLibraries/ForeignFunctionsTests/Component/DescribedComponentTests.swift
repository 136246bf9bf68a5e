import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@Suite("A described library is a component like any other")
struct DescribedComponentTests {
    private let sleeper = """
        {"name": "sleeper", "version": "1.0.0", "layer": "base", "library": ["libnot-there.so.1", "libc.so.6"],
         "class": "Sleeper", "declarations": "int usleep(unsigned microseconds); int abs(int value);"}
        """

    @Test("it is loaded on its first call, and stopped with its host")
    func life() async throws {
        try await withDescription(sleeper) { host async throws in
            #expect(host.isAvailable("Sleeper"))
            #expect(host.isAvailable("Sleeper", "usleep"))
            #expect(!host.isAvailable("Sleeper", "sleep"))
            #expect(!host.isLoaded("Sleeper"))
            #expect(host.state(of: "sleeper")?.description == "available")
            #expect(host.catalog.entry(named: "sleeper")?.manifest.layer == "base")
            #expect(try await host.call("Sleeper", "abs", ["value": -3]) == 3)
            #expect(host.isLoaded("Sleeper"))
            host.rescan()
            #expect(host.isLoaded("Sleeper"))
            #expect(try await host.call("Sleeper", "abs", ["value": -4]) == 4)
            let unknown = await failure { try await host.call("Sleeper", "sleep") }
            #expect(unknown?.code == .selectorNotFound)
            let kind = await failure { try await host.call("Sleeper", "abs", ["value": 1], kind: .class) }
            #expect(kind?.code == .selectorNotFound)
            await host.stop()
            let late = await failure { try await host.call("Sleeper", "abs", ["value": -3]) }
            #expect(late?.code == .stopped)
            #expect(late?.classIsLoad == false)
        }
    }

    @Test("a link with the name of a description is loaded, whatever the name of its file is")
    func linked() async throws {
        try await withPlugins { plugins in
            try plugins.write(sleeper, to: "sleeper-1.0.json")
            try FileManager.default.createSymbolicLink(
                atPath: plugins.file("sleeper.hslink.json"), withDestinationPath: "sleeper-1.0.json")
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false)
            #expect(try await host.call("Sleeper", "abs", ["value": -3]) == 3)
            #expect(host.catalog.rejectedFiles == [])
            await host.stop()
        }
    }

    @Test("a call is answered at its deadline, and the function keeps running")
    func deadline() async throws {
        try await withDescription(sleeper) { host async throws in
            var error: LinkError?
            // The host may notice the deadline after the function has ended.
            for microseconds in [400_000, 4_000_000, 40_000_000] where error == nil {
                error = await failure {
                    try await host.call(
                        "Sleeper", "usleep", ["microseconds": Payload(microseconds)], timeout: .milliseconds(5))
                }
            }
            #expect(error?.code == .deadlineExceeded)
            #expect(try await host.call("Sleeper", "abs", ["value": -3]) == 3)
        }
    }

    @Test("the callback form has the three parts of an answer")
    func parts() async throws {
        try await withDescription(sleeper) { host async throws in
            let seen = Lock<[String]>([])
            for (selector, payload) in [("abs", ["value": -3] as Payload), ("abs", ["value": "x"]), ("sleep", nil)] {
                host.link.call("Sleeper", selector, payload) { returnValue, performSuccess, classIsLoad in
                    seen.withLock { $0.append("\(returnValue?.description ?? "nil") \(performSuccess) \(classIsLoad)") }
                }
            }
            #expect(seen.withLock { $0 } == ["3 true true", "nil false true", "nil false true"])
        }
    }

    @Test("two hosts share a library and nothing else")
    func hosts() async throws {
        try await withLibraries("plain") { first async throws in
            let box = try await first.call("Plain", "plain_box", ["value": 4])
            try await withLibraries("plain") { second async throws in
                // A handle is identified by its kind.
                #expect(try await second.call("Plain", "plain_value", ["box": box]) == 4)
            }
            #expect(try await first.call("Plain", "plain_value", ["box": box]) == 4)
        }
    }

    @Test("a failed library may be tried again")
    func again() async throws {
        let text = sleeper.replacing("\"libc.so.6\"", with: "\"libnot-there.so.2\"")
        try await withDescription(text) { host async throws in
            for _ in 0..<2 {
                let error = await failure { try await host.call("Sleeper", "abs", ["value": 1]) }
                #expect(error?.code == .notLoaded)
                #expect(error?.classIsLoad == false)
                #expect(error?.cause?.code == .cannotLink)
                #expect(host.state(of: "sleeper")?.description == "failed")
                #expect(!host.isAvailable("Sleeper"))
                #expect(host.retry("sleeper"))
            }
        }
    }
}
