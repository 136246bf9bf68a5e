import ComponentHost
import ComponentKit
import Foundation
import InMemoryTracing
import Instrumentation
import TestSupport
import Testing
import Tracing

@Suite("The context that a call carries")
struct CarriedTests {
    private func carrying<Value>(_ texts: [String: String], _ body: () async throws -> Value) async rethrows -> Value {
        var context = ServiceContext.current ?? .topLevel
        context.carried = texts
        return try await ServiceContext.withValue(context) { try await body() }
    }

    @Test("reaches the method in every form of a call", arguments: Depth.allCases, CallForm.allCases)
    func reaches(depth: Depth, form: CallForm) async throws {
        let host = try depth.host()
        for timeout in [nil, Duration.seconds(300)] {
            for selector in ["carried", "asyncCarried"] {
                let answer = await carrying(["tenant": "acme", "session": "7"]) {
                    await form.performHere(host, selector, timeout: timeout)
                }
                #expect(answer.returnValue == ["session": "7", "tenant": "acme"])
                let nothing = await form.performHere(host, selector, timeout: timeout)
                #expect(nothing.returnValue == [:])
            }
        }
        await host.stop()
    }

    @Test("is passed from call to call, through threads, tasks and the host's own classes", arguments: Depth.allCases)
    func goesOn(depth: Depth) async throws {
        let host = try depth.host()
        for (selector, timeout) in [("carried", nil), ("carried", 300), ("asyncCarried", nil), ("asyncCarried", 300)]
            as [(String, Int?)]
        {
            let call: Payload = [
                "class": "FixtureLink", "selector": .string(selector),
                "timeout": timeout.map { .int(Int64($0)) } ?? .null,
            ]
            for way in ["callOther", "asyncCallOther"] {
                let value = try await carrying(["tenant": "acme"]) { try await host.call("FixtureLink", way, call) }
                #expect(value == ["tenant": "acme"])
            }
        }
        let greeting = try await carrying(["tenant": "acme"]) {
            try await host.call("FixtureLink", "callHost", ["name": "Ada"])
        }
        #expect(greeting == "host greets Ada of FixtureComponent")
        let closure = host.link.closure { _ in (ServiceContext.current?.carried ?? [:]).mapValues(Payload.string) }
        for selector in ["apply", "applyLater"] {
            let value = try await carrying(["tenant": "acme"]) {
                try await host.call("FixtureLink", selector, ["closure": closure])
            }
            // A detached task starts without context.
            #expect(value == (selector == "apply" ? ["tenant": "acme"] : [:]))
        }
        await host.stop()
    }

    @Test("reaches components in C, which pass it on automatically")
    func inC() async throws {
        try await withHost(["Carries", "CGood"]) { host, _ async throws in
            for selector in ["carried", "carriedByOther", "carriedByOtherLater"] {
                let value = try await carrying(["tenant": "acme"]) {
                    try await host.call("CarriesLink", selector, kind: .class)
                }
                #expect(value == ["tenant": "acme"])
                #expect(try await host.call("CarriesLink", selector, kind: .class) == [:])
            }
            let own = try await carrying(["tenant": "acme"]) {
                try await host.call("CarriesLink", "carriedByOtherInstead", kind: .class)
            }
            #expect(own == ["tenant": "other"])
        }
    }

    @Test("of an object in C is that of its call, whatever its thread does", arguments: ["at once", "later"])
    func ofObjectInC(selector: String) async throws {
        try await withHost(["Carries", "CGood"]) { host, _ async throws in
            let asker = try await host.value("CarriesLink", "asker").object()
            for texts in [["tenant": "acme"], [:]] {
                let expected = Payload(entries: texts.map { ($0.key, .string($0.value)) })
                #expect(try await carrying(texts) { try await asker.call(selector) } == expected)
                // In place, within a method that carries something else.
                let closure = host.link.closure { _ in
                    var context = ServiceContext.topLevel
                    context.carried = texts
                    return try ServiceContext.withValue(context) { try asker.callAndWait(selector) }
                }
                let nested = try await carrying(["tenant": "other"]) {
                    try await host.value("CGoodLink", "apply", ["closure": closure])
                }
                #expect(nested == expected)
            }
        }
    }

    @Test(
        "of an event that a handler in C posts is the operation's, not that of who ends the handler",
        arguments: [nil, "ada"])
    func ofPostsInC(person: String?) async throws {
        try await withHost(["Carries"]) { host, _ async throws in
            // Loads the component, so that events reach it.
            _ = try await host.value("CarriesLink", "carried")
            let session = try person.map { try Session(id: $0) }
            let delivery = Task { () -> EventOutcome in
                let event = "org.hslink.fixture/carriesFirst"
                // Not in the session nil: that would be carried, as a text that is not there.
                guard let session else { return await host.events.deliver(event, .null) }
                return await Session.with(session) { await host.events.deliver(event, .null) }
            }
            #expect(await holds { try await host.value("CarriesLink", "isHolding") == true })
            let grace = try Session(id: "grace")
            let wasHolding = try await Session.with(grace) { try await host.call("CarriesLink", "letGo", kind: .class) }
            #expect(wasHolding == true)
            #expect(await delivery.value.handled == 1)
            #expect(await holds { try await host.value("CarriesLink", "nextSession") != .null })
            #expect(try await host.value("CarriesLink", "nextSession") == .string(person ?? ""))
        }
    }

    @Test("is that of each call, whatever the thread has carried before", arguments: Depth.allCases)
    func changes(depth: Depth) async throws {
        let host = try depth.host()
        let texts = [
            ["tenant": "acme"], ["tenant": "acmf"], ["tenanu": "acme"], ["tenant": "acme", "session": "7"],
            ["tenant": ""], [:], ["tenant": "\u{E9}"], ["tenant": "e\u{301}"], ["tenant": "acme"],
        ]
        let order = texts + texts.reversed() + texts.flatMap { [$0, $0] }
        let answers = try await onThread {
            try order.map { texts in
                var context = ServiceContext.topLevel
                context.carried = texts
                return try ServiceContext.withValue(context) {
                    try [host.callAndWait("FixtureLink", "carried"), host.bind("FixtureLink", "carried")(.null)]
                }
            }
        }
        for (texts, answer) in zip(order, answers) {
            let expected = Payload.map(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
            #expect(answer == [expected, expected])
        }
        await host.stop()
    }

    @Test("is all that is kept of a caller's context", arguments: Depth.allCases)
    func keepsNothing(depth: Depth) async throws {
        let host = try depth.host()
        try await onThread {
            weak var held: Held?
            do {
                let value = Held()
                held = value
                var context = ServiceContext.topLevel
                context.carried["tenant"] = "acme"
                context[Held.self] = value
                let answer = try ServiceContext.withValue(context) { try host.callAndWait("FixtureLink", "carried") }
                #expect(answer == ["tenant": "acme"])
            }
            #expect(held == nil)
        }
        await host.stop()
    }

    /// A value in a context that is not carried.
    private final class Held: ServiceContextKey {
        typealias Value = Held
    }

    @Test("has limits", arguments: Depth.allCases)
    func limits(depth: Depth) async throws {
        let host = try depth.host()
        let cases: [([String: String], LinkError.Code?)] = [
            (Dictionary(uniqueKeysWithValues: (0..<64).map { ("key \($0)", "") }), nil),
            (Dictionary(uniqueKeysWithValues: (0..<65).map { ("key \($0)", "") }), .payloadMismatch),
            (["k": String(repeating: "v", count: 8191)], nil),
            (["k": String(repeating: "v", count: 8192)], .payloadMismatch),
        ]
        for (texts, code) in cases {
            let answer = await carrying(texts) { await CallForm.async.performHere(host, "carried") }
            #expect(answer.error?.code == code)
        }
        await host.stop()
    }
}

@Suite("Spans of calls")
struct CallTracingTests {
    @Test("each call is a span, below the one that made it", arguments: Depth.allCases)
    func spans(depth: Depth) async throws {
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            let host = try depth.host()
            let call: Payload = ["class": "FixtureLink", "selector": "nothing"]
            _ = try await host.call("FixtureLink", "callOther", call)
            _ = await answer { try await host.call("FixtureLink", "throwOwn") }
            await host.stop()
        }
        let spans = tracer.finishedSpans.filter { $0.operationName.hasPrefix("FixtureLink.") }
        #expect(
            spans.map(\.operationName).sorted() == [
                "FixtureLink.callOther", "FixtureLink.nothing", "FixtureLink.throwOwn",
            ])
        let outer = try #require(spans.first { $0.operationName == "FixtureLink.callOther" })
        let inner = try #require(spans.first { $0.operationName == "FixtureLink.nothing" })
        let failed = try #require(spans.first { $0.operationName == "FixtureLink.throwOwn" })
        #expect(inner.spanContext.traceID == outer.spanContext.traceID)
        #expect(inner.spanContext.parentSpanID == outer.spanContext.spanID)
        #expect(outer.attributes.get("hslink.class") == "FixtureLink")
        #expect(outer.attributes.get("hslink.component") == "FixtureComponent")
        #expect(outer.attributes.get("hslink.caller") == "host")
        #expect(inner.attributes.get("hslink.caller") == "FixtureComponent")
        #expect(outer.attributes.get("hslink.outcome") == "done")
        #expect(failed.attributes.get("hslink.outcome") == "methodFailed")
        #expect(failed.errors.count == 1)
    }

    @Test("a tracer that adds more than calls carry adds nothing", arguments: Depth.allCases, [1, 64, 200])
    func flooding(depth: Depth, keys: Int) async throws {
        let tracer = FloodingTracer(keys: keys)
        let host = try withTracer(tracer) { try depth.host() }
        var context = ServiceContext.topLevel
        context.carried = ["tenant": "acme"]
        for form in CallForm.allCases {
            let answer = await ServiceContext.withValue(context) { await form.performHere(host, "carried") }
            let carried = try #require(try answer.returnValue?.entries())
            #expect(carried.contains { $0.key == "tenant" })
            #expect(carried.count == (keys == 1 ? 2 : 1))
        }
        await host.stop()
    }

    @Test("a tracer that blocks does not delay whoever sleeps until the deadline", arguments: Depth.allCases)
    func blocking(depth: Depth) async throws {
        let valve = Valve()
        let tracer = BlockingTracer(operation: "FixtureLink.keep", valve: valve)
        let host = try withTracer(tracer) { try depth.host() }
        let codes = Collected<LinkError.Code?>()
        let call = Task {
            codes.add(await CallForm.blocking.perform(host, "keep", timeout: .milliseconds(500)).error?.code)
        }
        #expect(await holds(within: .seconds(60)) { codes.all == [.deadlineExceeded] })
        #expect(await holds { valve.arrivals == 1 })
        valve.open()
        await call.value
        await host.stop()
    }

    @Test("a call of an object is a span", arguments: Depth.allCases)
    func objects(depth: Depth) async throws {
        let tracer = InMemoryTracer()
        let host = try withTracer(tracer) { try depth.host() }
        let counter = try await host.call("FixtureLink", "makeCounter").object()
        #expect(try await host.link.call(counter, "increment") == 1)
        #expect(await answer { try await host.link.call(counter, "missing") }.error?.code == .selectorNotFound)
        await host.stop()
        let spans = tracer.finishedSpans.filter { $0.operationName.hasPrefix("FixtureCounter.") }
        #expect(spans.map(\.operationName) == ["FixtureCounter.increment", "FixtureCounter.missing"])
        #expect(spans.map { $0.attributes.get("hslink.outcome") } == ["done", "selectorNotFound"])
        #expect(spans.allSatisfy { $0.attributes.get("hslink.component") == "FixtureComponent" })
        #expect(spans.allSatisfy { $0.attributes.get("hslink.class") == "FixtureCounter" })
    }
}

/// Blocks at the end of each span of one operation.
private struct BlockingTracer: Tracer {
    let operation: String
    let valve: Valve

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> InMemorySpan {
        InMemorySpan(
            operationName: operationName, context: context(),
            spanContext: InMemorySpanContext(traceID: "1", spanID: "1", parentSpanID: nil), kind: kind,
            startInstant: instant()
        ) { [operation, valve] span in
            if span.operationName == operation { valve.pass() }
        }
    }

    func forceFlush() {}

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {}

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {}
}

/// Adds many texts to the carried context.
private struct FloodingTracer: Tracer {
    let keys: Int
    private let tracer = InMemoryTracer()

    init(keys: Int) { self.keys = keys }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> InMemorySpan {
        tracer.startSpan(
            operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID, line: line
        )
    }

    func forceFlush() {}

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        for key in 0..<keys { injector.inject("value", forKey: "flood \(key)", into: &carrier) }
    }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {}
}

extension CallForm {
    /// Like ``perform(_:_:_:className:timeout:)``, in the context of the caller even if the call blocks.
    func performHere(
        _ host: LinkHost, _ selector: String, timeout: Duration? = nil
    ) async -> Answer {
        let context = ServiceContext.current
        switch self {
        case .blocking:
            return await answer {
                try await onThread {
                    try ServiceContext.withValue(context) {
                        try host.callAndWait("FixtureLink", selector, timeout: timeout)
                    }
                }
            }
        case .boundBlocking:
            return await answer {
                try await onThread {
                    try ServiceContext.withValue(context) {
                        let bound = try host.bind("FixtureLink", selector)
                        guard let timeout else { return try bound(.null) }
                        return try bound(.null, timeout: timeout)
                    }
                }
            }
        case .callback, .async, .boundCallback, .boundAsync:
            return await perform(host, selector, timeout: timeout)
        }
    }
}
