import ComponentHost
import ComponentKit
import TestSupport
import Testing

@Suite("Answers of calls by target and action")
struct TargetAnswerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let target: String
        let action: String
        var payload: Payload = .null
        var value: Payload?
        var code: LinkError.Code?
        /// The class and the message of the error.
        var names: (className: String, hint: String)?

        var testDescription: String { "\(target).\(action)" }

        static let all: [Row] = [
            Row(target: "Fixture", action: "sum", payload: ["a": 1, "b": 2, "c": 39], value: 42),
            Row(target: "Fixture", action: "twin", value: "object"),
            Row(target: "Fixture", action: "asyncSum", payload: ["a": 20, "b": 22], value: 42),
            Row(target: "FixturePerCall", action: "count", value: 1),
            Row(target: "FixtureSubclass", action: "greet", payload: ["name": "Ada"], value: "hello, Ada"),
            Row(target: "Host", action: "version", value: 3),
            Row(target: "Shelf", action: "open", payload: ["k": [1, nil]], value: ["k": [1, nil]]),
            Row(target: "Shelf", action: "close", payload: [1], value: [1]),
            Row(target: "Shelf", action: "size", value: 42),
            Row(
                target: "Shelf", action: "sell", payload: 7,
                value: ["target": "Shelf", "action": "sell", "params": 7]),
            Row(
                target: "Fixture", action: "sum", payload: ["a": 1], code: .payloadMismatch, names: ("FixtureLink", "")),
            Row(target: "Fixture", action: "throwOwn", code: .methodFailed, names: ("FixtureLink", "as asked")),
            Row(target: "Fixture", action: "drop", code: .replyDropped, names: ("FixtureLink", "")),
            Row(target: "FixtureFailing", action: "never", code: .methodFailed, names: ("FixtureFailing", "")),
            Row(
                target: "Fixture", action: "asyncSun", code: .selectorNotFound,
                names: ("FixtureLink", "; did you mean asyncSum?")),
            Row(target: "Fixture", action: "", code: .selectorNotFound, names: ("FixtureLink", "")),
            Row(
                target: "Fixtrue", action: "sum", code: .classNotFound,
                names: ("Fixtrue", "(FixtrueLink, Fixtrue, Target_Fixtrue); did you mean Fixture?")),
            Row(target: "Shlef", action: "open", code: .classNotFound, names: ("Shlef", "; did you mean Shelf?")),
            Row(
                target: "Elsewhere", action: "open", code: .classNotFound,
                names: ("Elsewhere", "(ElsewhereLink, Elsewhere, Target_Elsewhere)")),
        ]

        func check(_ answer: PartsOfAnswer, _ form: TargetForm) {
            #expect(answer.value == value)
            #expect(answer.performSuccess == (code == nil))
            #expect(answer.classIsLoad == (code != .classNotFound))
            guard form != .parts, form != .partsInTime else { return }
            #expect(answer.error?.code == code)
            guard let names else { return }
            #expect(answer.error?.className == names.className)
            #expect(answer.error?.selector == action)
            #expect(answer.error?.message.hasSuffix(names.hint) == true, "\(answer.error?.message ?? "")")
        }
    }

    @Test("in every form, before the component is loaded and after", arguments: Depth.allCases, Row.all)
    func table(depth: Depth, row: Row) async throws {
        for form in TargetForm.allCases {
            let host = try depth.host()
            #expect(host.check(target: row.target) == (row.code != .classNotFound))
            for _ in 1...2 { row.check(await form.perform(host, row.target, row.action, row.payload), form) }
            await host.stop()
        }
    }

    @Test("of a component's own calls", arguments: Depth.allCases, Row.all)
    func component(depth: Depth, row: Row) async throws {
        let host = try depth.host()
        let request: Payload = [
            "target": .string(row.target), "action": .string(row.action), "payload": row.payload,
        ]
        for form in ["parts", "awaited", "waited"] {
            let answer = try await onThread { try host.callAndWait("PerformerLink", form, request) }
            #expect(answer["value"] == (row.value ?? .null), "\(form)")
            #expect(answer["performSuccess"] == .bool(row.code == nil))
            #expect(answer["classIsLoad"] == .bool(row.code != .classNotFound))
            #expect(answer["code"] == .int(Int64(row.code?.rawValue ?? 0)))
        }
        await host.stop()
    }

    @Test("an error that a method passed on says nothing against its class, in every form", arguments: Depth.allCases)
    func passedOn(depth: Depth) async throws {
        let host = try depth.host()
        let missing: Payload = ["target": "Missing", "action": "run"]
        for form in TargetForm.allCases {
            #expect(await form.perform(host, "Performer", "forward", missing).classIsLoad, "\(form)")
        }
        let request: Payload = ["target": "Performer", "action": "forward", "payload": missing]
        for form in ["parts", "awaited", "waited"] {
            let answer = try await onThread { try host.callAndWait("PerformerLink", form, request) }
            #expect(answer["code"] == .int(Int64(LinkError.Code.classNotFound.rawValue)), "\(form)")
            #expect(answer["classIsLoad"] == true, "\(form)")
        }
        await host.stop()
    }

    @Test("a check reads manifests only", arguments: Depth.allCases)
    func check(depth: Depth) async throws {
        let rows: [(String, String?, Bool)] = [
            ("Fixture", nil, true), ("Fixture", "sum", true), ("Fixture", "twin", true), ("Fixture", "su", false),
            ("Fixture", "Action_sum", false), ("Shelf", "open", true), ("Shelf", "close", true),
            ("Shelf", "size", true), ("Shelf", "Action_size", true), ("Shelf", "sell", false), ("Host", "greet", true),
            ("Missing", nil, false), ("Missing", "sum", false), ("", nil, false),
        ]
        let host = try depth.host()
        for (target, action, isThere) in rows {
            #expect(host.check(target: target, action: action) == isThere, "\(target) \(action ?? "-")")
        }
        #expect(!host.isLoaded("FixtureLink"))
        for (target, action, isThere) in rows {
            let request: Payload = ["target": .string(target), "action": action.map { .string($0) } ?? .null]
            let answer = try await onThread { try host.callAndWait("PerformerLink", "check", request) }
            #expect(answer == .bool(isThere), "\(target) \(action ?? "-")")
        }
        await host.stop()
        #expect(!host.check(target: "Fixture"))
    }

    @Test("a component that cannot be loaded, or has been stopped, gives the reason")
    func unavailable() async throws {
        var options = HostOptions.quiet
        options.notFound = { _ in "handled" }
        try await withHost(["CreateFails"], options: options) { host, _ async throws in
            for form in TargetForm.allCases {
                for action in ["run", "missing"] {
                    let answer = await form.perform(host, "CreateFails", action)
                    #expect(answer.value == nil)
                    #expect(!answer.classIsLoad)
                    if let error = answer.error { #expect(error.code == .notLoaded) }
                }
            }
            #expect(!host.check(target: "CreateFails"))
            #expect(await TargetForm.async.perform(host, "Missing", "run").value == "handled")
            await host.stop()
            for form in TargetForm.allCases {
                let answer = await form.perform(host, "CreateFails", "run")
                #expect(!answer.classIsLoad)
                if let error = answer.error { #expect(error.code == .stopped) }
            }
        }
    }

    @Test("results of every type arrive as values", arguments: Depth.allCases)
    func results(depth: Depth) async throws {
        let host = try depth.host()
        let rows: [(String, Payload)] = [
            ("nothing", .null), ("bool", true), ("int8", -128), ("int16", -32768), ("int32", -2_147_483_648),
            ("int64", .int(.min)), ("int", .int(.max)), ("uint8", 255), ("uint16", 65535), ("uint32", 4_294_967_295),
            ("uint64", .uint(.max)), ("float", 1.5), ("double", -0.1), ("string", "na\u{EF}ve"),
            ("data", .bytes([0, 255])), ("array", [1, 2, 3]), ("map", ["yes": true]),
        ]
        for (action, value) in rows {
            for form in TargetForm.allCases {
                let answer = await form.perform(host, "Scalar", action)
                #expect(answer.performSuccess)
                #expect(answer.value == value, "\(action) \(form)")
            }
        }
        await host.stop()
    }

    @Test("a call that is awaited can be cancelled")
    func cancelled() async throws {
        let host = try Depth.file.host()
        let task = Task {
            try await host.perform(target: "Fixture", action: "asyncSleep", ["seconds": 300])
        }
        #expect(await holds { (try? host.performAndWait(target: "Fixture", action: "asyncSleeps")) == 1 })
        task.cancel()
        #expect(await answer { try await task.value }.error?.code == .cancelled)
        await host.stop()
    }
}
