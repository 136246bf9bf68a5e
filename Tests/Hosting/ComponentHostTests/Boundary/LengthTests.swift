import ComponentHost
import ComponentKit
import TestSupport
import Testing

/// The replacement of a text of SIZE_MAX bytes.
let hugeText = "(a string of 18446744073709551615 bytes)"

@Suite("Lengths that components get wrong")
struct LengthTests {
    @Test("texts of errors", arguments: FixtureCase.hugeErrors)
    func errors(row: FixtureCase) async throws {
        try await withHost(["HugeErrors"]) { host, _ async throws in
            row.check(await host.blockingCall(row.className, row.selector, kind: row.kind))
            row.check(await answer { try await host.call(row.className, row.selector, kind: row.kind) })
        }
    }

    @Test("texts and details that are too large are left out of an error")
    func parts() async throws {
        try await withHost(["HugeErrors"]) { host, _ async throws in
            func error(_ selector: String) async throws -> LinkError {
                try #require(await host.blockingCall("HugeErrorsLink", selector).error)
            }
            #expect(try await error("cause").cause?.message == hugeText)
            #expect(try await error("longest").message == String(repeating: "x", count: 65536))
            #expect(try await error("longer").message == "(a string of 65537 bytes)")
            #expect(try await error("bytes").details == nil)
            #expect(try await error("deep").details == nil)
        }
    }

    /// A request with an invalid name, and the error's code; nil for the answer `false`.
    static let questions: [(selector: String, code: LinkError.Code?)] = [
        ("classOf", .classNotFound), ("selectorOf", .selectorNotFound), ("selectorOfObject", .selectorNotFound),
        ("bindClass", .classNotFound), ("bindSelector", .selectorNotFound), ("available", nil),
        ("availableSelector", nil), ("loaded", nil), ("extension", nil), ("invoke", .selectorNotFound),
    ]

    @Test("names of calls", arguments: questions, ["huge", "null", "long"])
    func names(row: (selector: String, code: LinkError.Code?), name: String) async throws {
        try await withHost(["HugeNames"]) { host, _ async throws in
            let object = host.link.object(CallerLink())
            let answer = await host.blockingCall(
                "HugeNamesLink", row.selector, ["name": Payload(name), "object": object])
            #expect(answer.error?.code == row.code)
            if row.code == nil { #expect(answer.returnValue == false) }
            // The component still works.
            #expect(try await host.value("HugeNamesLink", "loaded", ["name": "huge"]) == false)
        }
    }

    @Test(
        "log lines, callers and names of objects", arguments: [("huge", hugeText), ("null", "(a string of 7 bytes)")])
    func texts(name: String, text: String) async throws {
        let log = CollectedLog()
        try await withHost(["HugeNames"], options: log.options) { host, _ async throws in
            let object = host.link.object(CallerLink())
            _ = try await host.value("HugeNamesLink", "log", ["name": Payload(name)])
            #expect(log.lines.all.contains(text))
            let caller = try await host.value("HugeNamesLink", "caller", ["name": Payload(name), "object": object])
            #expect(caller == Payload(text))
            let named = try await host.value("HugeNamesLink", "typeName", ["name": Payload(name)]).object()
            #expect(named.className == text)
        }
    }
}

extension FixtureCase {
    static let hugeErrors: [FixtureCase] = [
        failed("HugeErrors", "message", code: .methodFailed, hugeText),
        failed(
            "HugeErrors", "domain", code: .methodFailed, "its domain is huge", domain: hugeText, number: 7),
        failed("HugeErrors", "names", code: .methodFailed, "its names are huge"),
        failed("HugeErrors", "cause", code: .methodFailed, "its cause is huge"),
        failed("HugeErrors", "longest", code: .methodFailed, "xxxxxxxx"),
        failed("HugeErrors", "longer", code: .methodFailed, "(a string of 65537 bytes)"),
        failed("HugeErrors", "bytes", code: .methodFailed, "its details are big"),
        failed("HugeErrors", "deep", code: .methodFailed, "its details are deep"),
        failed("HugeErrors", "make", kind: .object, code: .methodFailed, "could not create an instance", hugeText),
    ]
}

/// Returns its caller.
private final class CallerLink: LinkClass {
    init() {}
    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<CallerLink>] = [.method("caller") { _, _, call in call.caller }]
}
