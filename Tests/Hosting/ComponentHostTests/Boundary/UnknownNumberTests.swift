import ComponentHost
import ComponentKit
import TestSupport
import Testing

@Suite("Numbers of a later revision")
struct UnknownNumberTests {
    @Test("flags are ignored, methods of an unknown kind are left out")
    func flags() async throws {
        try await withHost(["UnknownNumbers"]) { host, _ async throws in
            #expect(try await host.value("UnknownNumbersLink", "run") == true)
            #expect(try await host.value("UnknownNumbersLink", "withFlags") == true)
            let object = await host.blockingCall("UnknownNumbersLink", "run", kind: .object)
            #expect(object.error?.code == .selectorNotFound)
        }
    }

    @Test("a request of an unknown kind is refused")
    func kind() async throws {
        try await withHost(["UnknownNumbers"]) { host, _ async throws in
            let answer = await host.blockingCall("UnknownNumbersLink", "withKind")
            #expect(answer.error?.code == .payloadMismatch)
        }
    }

    @Test("in a request to an object, class and kind are ignored")
    func object() async throws {
        try await withHost(["UnknownNumbers"]) { host, _ async throws in
            let closure = host.link.closure { payload in try payload.int() + 1 }
            let value = try await host.value("UnknownNumbersLink", "withObject", ["object": closure, "argument": 41])
            #expect(value == 42)
        }
    }

    @Test("a log line of an unknown level is written")
    func level() async throws {
        let log = CollectedLog()
        try await withHost(["UnknownNumbers"], options: log.options) { host, _ async throws in
            _ = try await host.value("UnknownNumbersLink", "logs")
            #expect(log.lines.all.contains("of a later level"))
        }
    }
}
