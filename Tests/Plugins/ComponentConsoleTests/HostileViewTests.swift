import ComponentKit
import HostContract
import PageKit
import TestSupport
import Testing

@testable import ComponentConsole

@Suite("Views of hostile hosts and components")
struct HostileViewTests {
    private func check(_ view: some View, _ place: String = #function) throws {
        do {
            try view.node.check()
        } catch {
            Issue.record("\(place): \(error)")
        }
    }

    /// A map of entries with hostile values; JSON objects have each key once.
    private static func answer(_ text: String) -> Payload {
        let fields: Payload = .map(hostile.map { ($0, .string(text)) })
        let value: Payload = .string(text)
        let selector: Payload = [
            "name": value, "kind": value, "parameters": fields, "result": value, "summary": value,
            "routes": [["pattern": value]],
        ]
        let call: [(String, Payload)] = [
            ("component", value), ("class", value), ("selector", value), ("pattern", value), ("reason", value),
            ("tags", [value, value]), ("name", value), ("problem", value), ("problems", [value, value]),
        ]
        let route: Payload = .map(call)
        return [
            "summary": value, "name": value, "problem": value, "problems": [value, value], "redirects": [value],
            "interceptors": [value], "omitted": Payload(Int.max),
            "classes": .array(
                Array(
                    repeating: [
                        "name": value, "summary": value, "instances": value, "provides": [value],
                        "selectors": .array(Array(repeating: selector, count: 4)),
                    ], count: 101)),
            "services": [["name": value, "selectors": [selector, selector]]],
            "models": [
                ["name": value, "module": value, "event": value, "error": true, "fields": fields],
                ["name": value, "module": value, "raw": "String", "cases": fields],
                ["name": value, "module": value, "cases": .map(hostile.map { ($0, fields) })],
            ],
            "requires": [
                ["component": value, "version": value], ["class": value, "selectors": [value]], ["service": value],
            ],
            "posts": [value],
            "candidates": [["outcome": value, "reason": value, "route": route, "parameters": fields]],
        ]
    }

    private static func routes(_ text: String) -> RouteList {
        let route = RouteRow(
            pattern: text, class: text, selector: text, kind: text, component: text, tags: [text, text], priority: .min)
        let refused = UnusedRouteRow(pattern: text, component: text, class: text, selector: text, reason: text)
        return RouteList(routes: [route, route], refused: [refused, refused])
    }

    @Test("can be shown, whatever a text contains", arguments: hostile)
    func texts(text: String) async throws { try await onOwnThread { try checkTexts(text) } }

    private func checkTexts(_ text: String) throws {
        let row = ComponentRow.made(hostile: text)
        let rejection = RejectionRow(path: text, code: text, reason: text)
        let contents = HostContents(
            process: nil, components: [row, row],
            services: [
                ServiceRow(
                    service: text, component: text, version: text, className: text, isChosen: false, state: text,
                    reason: text)
            ], rejectedFiles: [rejection, rejection], rejectedDirectories: [rejection, rejection],
            conflicts: Array(repeating: ConflictRow(className: text, winner: text, loser: text), count: 3))
        let answer = Self.answer(text)
        let counter = CounterRow(
            component: text, class: text, selector: text, kind: text, calls: .max,
            failures: Dictionary(hostile.map { ($0, Int.max) }) { first, _ in first }, inFlight: .min, stuck: .min,
            lateReplies: -1,
            durations: CallDurations(
                calls: -1, sum: .nan, p50: .nan, p99: .infinity, buckets: [DurationBucket(upTo: -1, calls: -5)]))
        let counters = CounterList(methods: [counter, counter], observers: [])
        let routes = Self.routes(text)
        try check(OverviewView.summary(SummaryState(contents, routes.refused, counters: counters)))
        try check(OverviewView.components(ComponentList(contents.components)))
        try check(OverviewView.unused(UnusedState(contents, routes.refused)))
        for isAllowed in [true, false] {
            try check(ComponentView.status(ComponentStatus(text, in: contents), isAllowed: isAllowed))
            try check(ComponentView.status(ComponentStatus(text + "x", in: contents), isAllowed: isAllowed))
        }
        try check(CounterViews.counters(counters))
        try check(CounterViews.histogram(HistogramState(counters, of: text)))
        let time = ActivityTime(component: text, activity: text, count: .max, total: .nan, longest: -1)
        try check(CounterViews.times([time, time]))
        let line = LogLine(number: .max, time: Timestamp(seconds: .min), level: text, component: text, message: text)
        try check(LogView.log(LogState([line, line], LogFilter(level: .debug, text: text))))
        let post = EventPost(number: 0, time: Timestamp(seconds: .max), event: text, handlers: -1, isSticky: true)
        try check(EventViews.posts(PostList([post, post])))
        let handler = EventHandlerRow(component: text, class: text, selector: text, loads: true, priority: .min)
        let event = EventRow(name: text, posters: [text], handlers: [handler], problems: [text])
        try check(EventViews.events([event, event], empty: ""))
        try check(RouteViews.routes(routes))
        try check(RouteViews.explaining(RouteQuestion(url: text, isFromOutside: true), RouteAnswer(answer)))
    }

    @Test("of manifests can be shown, and so can the forms of their methods", arguments: hostile)
    func manifests(text: String) async throws { try await onOwnThread { try checkManifests(text) } }

    private func checkManifests(_ text: String) throws {
        let answer = Self.answer(text)
        let manifest = ManifestState(answer)
        let resource = ResourceRow(name: text, size: nil, problem: text)
        let handler = EventHandlerRow(component: text, class: text, selector: text, loads: true, priority: .max)
        let event = EventRow(name: text, posters: [text], handlers: [handler], problems: [text])
        let field = FieldRow(name: text, type: text)
        let module = PageModuleRow(
            name: text, component: text, class: text, selector: text, kind: text, condition: true,
            parameters: [field], data: [field], problem: text)
        let key = ConfigurationKeyRow(key: text, type: text, value: answer, from: text, secret: true)
        let configuration = ConfigurationSectionRow(
            component: text, keys: [key, key], errors: [text], warnings: [text])
        try check(
            PartsView.parts(
                ComponentParts(
                    manifest: manifest, resources: [resource, resource], routes: Self.routes(text),
                    events: [event, event], pageModules: [module, module], configuration: configuration)))
        let failure = CallFailure(
            LinkError(domain: text.isEmpty ? "d" : text, number: 1, message: text, details: answer))
        for outcome in [nil, .answered(json: AnswerText(answer).json), .failed(failure)] as [CallOutcome?] {
            for chosen in [nil, manifest.callable.first?.label] {
                try check(
                    CallView.call(
                        CallState(
                            text, manifest, chosen: chosen, record: CallRecord(method: text, outcome: outcome))))
            }
        }
        try check(CallView.call(CallState(text, ManifestState(.null), chosen: nil, record: nil)))
    }

    @Test("that have as much as there can be are within the limits of views")
    func large() async throws { try await onOwnThread { try checkLarge() } }

    private func checkLarge() throws {
        // Four bytes each, as long as any name in a manifest may be.
        let name = String(repeating: "🦊", count: 63)
        let reason = String(repeating: "🦊", count: 2100)
        let components = (0..<510).map { number in
            var row = ComponentRow.made("\(name)\(number)", "failed", reason: reason, recovery: reason)
            row.layer = name
            return row
        }
        let rejection = RejectionRow(path: reason, code: name, reason: reason)
        let route = RouteRow(
            pattern: reason, class: name, selector: name, component: name, tags: Array(repeating: reason, count: 100))
        let refused = UnusedRouteRow(pattern: reason, component: name, class: name, selector: name, reason: reason)
        let routes = RouteList(
            routes: Array(repeating: route, count: 510), refused: Array(repeating: refused, count: 510))
        let contents = HostContents(
            process: nil, components: components, services: [],
            rejectedFiles: Array(repeating: rejection, count: 510),
            rejectedDirectories: Array(repeating: rejection, count: 510),
            conflicts: Array(repeating: ConflictRow(className: name, winner: name, loser: name), count: 510))
        // People may ask for more and more of them.
        var context = PageContext(page: "p", section: "s")
        context.parts = 100
        try check(OverviewView.components(ComponentList(components), in: context))
        try check(OverviewView.unused(UnusedState(contents, routes.refused)))
        try check(RouteViews.routes(routes, in: context))
        let handler = EventHandlerRow(component: name, class: name, selector: name, loads: true, priority: .max)
        let event = EventRow(
            name: name, posters: Array(repeating: name, count: 100), handlers: Array(repeating: handler, count: 100),
            problems: Array(repeating: reason, count: 100))
        try check(EventViews.events(Array(repeating: event, count: 510), in: context, empty: ""))
        let line = LogLine(number: 1, time: Timestamp(seconds: 0), level: "info", component: name, message: reason)
        try check(LogView.log(LogState(Array(repeating: line, count: 500), LogFilter(level: .debug)), in: context))
        let selector: Payload = [
            "name": .string(name), "kind": "object", "summary": .string(reason),
            "parameters": .map((0..<30).map { ("\(name)\($0)", .string(reason)) }),
        ]
        let manifest = ManifestState([
            "classes": .array(
                (0..<200).map { number in
                    [
                        "name": .string("\(name)\(number)"), "summary": .string(reason),
                        "selectors": .array(Array(repeating: selector, count: 20)),
                    ]
                }),
            "models": .array(
                (0..<500).map { number in
                    ["name": .string("\(name)\(number)"), "module": .string(name), "fields": ["a": .string(reason)]]
                }),
        ])
        let resource = ResourceRow(name: reason, size: 1, problem: reason)
        try check(
            PartsView.parts(
                ComponentParts(
                    manifest: manifest, resources: Array(repeating: resource, count: 510), routes: routes,
                    events: Array(repeating: event, count: 510)), in: context))
        try check(
            CallView.call(
                CallState(name, manifest, chosen: manifest.callable.first?.label, record: nil)))
    }
}
