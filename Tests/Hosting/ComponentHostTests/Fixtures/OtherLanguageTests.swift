import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@Suite("Components in C++ and Rust")
struct OtherLanguageTests {
    @Test("C++: values, and exceptions that become errors", arguments: FixtureCase.cxxGood)
    func cxx(row: FixtureCase) async throws {
        try await withHost(["CxxGood"]) { host, _ async throws in
            row.check(await host.blockingCall(row.className, row.selector, row.payload, kind: row.kind))
            row.check(await answer { try await host.call(row.className, row.selector, row.payload, kind: row.kind) })
        }
    }

    @Test("C++: the shared instance keeps its text")
    func append() async throws {
        try await withHost(["CxxGood"]) { host, _ async throws in
            for (text, whole) in [("ab", "ab"), ("", "ab"), ("ö", "abö")] as [(Payload, Payload)] {
                let value = try await host.value("CxxGoodLink", "append", text, kind: .object)
                #expect(value == whole)
            }
            let wrong = await host.blockingCall("CxxGoodLink", "append", 7, kind: .object)
            #expect(wrong.error?.code == .payloadMismatch)
        }
    }

    @Test("with rustc, the component in Rust was built")
    func rustIsThere() throws {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let hasCompiler = path.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/rustc")
        }
        #expect(Fixtures.hasRust == hasCompiler)
    }

    @Test(
        "Rust: values, and panics that become errors", .enabled(if: Fixtures.hasRust), arguments: FixtureCase.rustGood)
    func rust(row: FixtureCase) async throws {
        try await withHost(["RustGood"]) { host, _ async throws in
            row.check(await host.blockingCall(row.className, row.selector, row.payload, kind: row.kind))
            row.check(await answer { try await host.call(row.className, row.selector, row.payload, kind: row.kind) })
        }
    }

    @Test(
        "Rust: state, the shared instance, and objects that answer stopped afterwards", .enabled(if: Fixtures.hasRust))
    func rustState() async throws {
        try await withHost(["RustGood"]) { host, _ async throws in
            for expected in [1, 2, 3] as [Payload] {
                let calls = try await host.value("RustGoodLink", "state")
                #expect(calls == expected)
                let count = try await host.value("RustGoodLink", "count", kind: .object)
                #expect(count == expected)
            }
            let counter = try await host.value("RustGoodLink", "makeCounter").object()
            #expect(counter.className == "RustGoodLink")
            for expected in [1, 2] as [Payload] {
                let count = try await onThread { try counter.callAndWait("count") }
                #expect(count == expected)
            }
            await host.stop()
            let error = await answer { try await onThread { try counter.callAndWait("count") } }.error
            #expect(error?.code == .stopped)
        }
    }

    @Test("C, C++ and Rust in one host", .enabled(if: Fixtures.hasRust))
    func together() async throws {
        try await withHost(["CGood", "CxxGood", "RustGood"]) { host, _ async throws in
            let value: Payload = ["list": [1, nil, "ü"], "bytes": .bytes([0, 255])]
            for name in ["CGood", "CxxGood", "RustGood"] {
                let echoed = try await host.value("\(name)Link", "echo", value)
                #expect(echoed == value)
                let throughC = try await host.value(
                    "CGoodLink", "viaHost", ["class": .string("\(name)Link"), "selector": "echo", "payload": value])
                #expect(throughC == value)
            }
        }
    }
}

extension FixtureCase {
    static let cxxGood: [FixtureCase] = [
        performed("CxxGood", "echo", ["x": 1.5], gives: ["x": 1.5]),
        performed("CxxGood", "divide", ["dividend": 84, "divisor": 2], gives: 42),
        failed("CxxGood", "divide", code: .payloadMismatch, "dividend: expected an integer"),
        failed("CxxGood", "raise", code: .methodFailed, "an exception of an unknown type was thrown"),
        FixtureCase(
            fixture: "CxxGood", selector: "divide", payload: ["dividend": 1, "divisor": 0], code: .methodFailed,
            message: ["division by zero"]),
        FixtureCase(
            fixture: "CxxGood", selector: "divide", payload: ["dividend": .int(.min), "divisor": -1],
            code: .methodFailed, message: ["does not fit into 64 bits"]),
    ]

    static let rustGood: [FixtureCase] = [
        performed("RustGood", "echo", ["x": ["y": 1]], gives: ["x": ["y": 1]]),
        performed("RustGood", "sum", ["a": 40, "b": 2], gives: 42),
        performed("RustGood", "panic", ["index": 2], gives: 30),
        failed("RustGood", "sum", code: .payloadMismatch, "a: expected an integer"),
        FixtureCase(
            fixture: "RustGood", selector: "sum", payload: ["a": .int(.max), "b": 1], code: .payloadMismatch,
            message: ["does not fit into 64 bits"]),
        FixtureCase(
            fixture: "RustGood", selector: "panic", payload: ["index": 3], code: .methodFailed,
            message: ["RustGood panicked", "index out of bounds"]),
    ]
}
