import ComponentHost
import ComponentKit
import Testing

/// One row of the table of answers.
struct AnswerCase: Sendable, CustomTestStringConvertible {
    var className = "FixtureLink"
    var selector: String
    var payload: Payload = .null
    var kind = SelectorKind.object
    var value: Payload?
    var code: LinkError.Code?

    var testDescription: String { "\(className).\(selector)" }

    static let all: [AnswerCase] = [
        AnswerCase(selector: "sum", payload: ["a": 1, "b": 2, "c": 39], value: 42),
        AnswerCase(selector: "sumQuick", payload: ["a": 1, "b": 2, "c": 3], value: 6),
        AnswerCase(selector: "nothing", value: .null),
        AnswerCase(selector: "twin", value: "object"),
        AnswerCase(selector: "twin", kind: .class, value: "class"),
        AnswerCase(selector: "echo", payload: ["k": [1, nil, "x"]], value: ["k": [1, nil, "x"]]),
        AnswerCase(selector: "asyncSum", payload: ["a": 20, "b": 22], value: 42),
        AnswerCase(selector: "replyTwice", value: "first"),
        AnswerCase(selector: "sum", payload: ["a": 1, "b": "two", "c": 3], code: .payloadMismatch),
        AnswerCase(selector: "sum", payload: ["a": 1], code: .payloadMismatch),
        AnswerCase(selector: "sum", code: .payloadMismatch),
        AnswerCase(selector: "throwOwn", code: .methodFailed),
        AnswerCase(selector: "throwOther", code: .methodFailed),
        AnswerCase(selector: "asyncThrow", code: .methodFailed),
        AnswerCase(selector: "drop", code: .replyDropped),
        AnswerCase(selector: "missing", code: .selectorNotFound),
        AnswerCase(selector: "", code: .selectorNotFound),
        AnswerCase(selector: "sum", kind: .class, code: .selectorNotFound),
        AnswerCase(className: "Missing", selector: "sum", code: .classNotFound),
        AnswerCase(className: "", selector: "", code: .classNotFound),
        AnswerCase(className: "FixtureFailing", selector: "never", code: .methodFailed),
        AnswerCase(className: "FixtureSubclass", selector: "greet", payload: ["name": "Ada"], value: "hello, Ada"),
        AnswerCase(className: "HostLink", selector: "version", kind: .class, value: 3),
    ]

    var performSuccess: Bool { code == nil }
    var classIsLoad: Bool { code != .classNotFound }

    func check(_ answer: Answer) {
        #expect(answer.returnValue == value)
        #expect(answer.performSuccess == performSuccess)
        #expect(answer.classIsLoad == classIsLoad)
        #expect(answer.error?.code == code)
        if let error = answer.error {
            #expect(error.className == className)
            #expect(error.selector == selector)
        }
    }
}

@Suite("Every form of a call answers as documented in the table")
struct AnswerTableTests {
    @Test("with the three parts of an answer", arguments: Depth.allCases, AnswerCase.all)
    func callback(depth: Depth, row: AnswerCase) async throws {
        let host = try depth.host()
        let answer = await awaitResume { resume in
            host.link.call(row.className, row.selector, row.payload, kind: row.kind) { (answer: Answer) in
                resume(answer)
            }
        }
        row.check(answer)
        let parts = Lock<[(Payload?, Bool, Bool)]>([])
        let count = await awaitResume { resume in
            host.link.call(row.className, row.selector, row.payload, kind: row.kind) { value, success, loaded in
                parts.withLock { $0.append((value, success, loaded)) }
                resume(parts.withLock { $0.count })
            }
        }
        #expect(count == 1)
        let first = try #require(parts.withLock { $0.first })
        #expect(first.0 == row.value)
        #expect(first.1 == row.performSuccess)
        #expect(first.2 == row.classIsLoad)
        await host.stop()
    }

    @Test("asynchronously", arguments: Depth.allCases, AnswerCase.all)
    func asynchronous(depth: Depth, row: AnswerCase) async throws {
        let host = try depth.host()
        row.check(await answer { try await host.call(row.className, row.selector, row.payload, kind: row.kind) })
        row.check(
            await answer {
                try await host.call(
                    row.className, row.selector, row.payload, kind: row.kind, timeout: Duration.seconds(300))
            })
    }

    @Test("blocking, named and bound", arguments: Depth.allCases, AnswerCase.all)
    func blocking(depth: Depth, row: AnswerCase) async throws {
        let host = try depth.host()
        row.check(
            await answer {
                try await onThread {
                    try host.callAndWait(row.className, row.selector, row.payload, kind: row.kind)
                }
            })
        row.check(
            await answer {
                try await onThread {
                    try host.callAndWait(
                        row.className, row.selector, row.payload, kind: row.kind, timeout: Duration.seconds(300))
                }
            })
        row.check(
            await answer {
                try await onThread { try host.bind(row.className, row.selector, kind: row.kind)(row.payload) }
            })
        row.check(
            await answer {
                try await onThread { try host.bind(row.className, row.selector, kind: row.kind) }.call(row.payload)
            })
    }
}
