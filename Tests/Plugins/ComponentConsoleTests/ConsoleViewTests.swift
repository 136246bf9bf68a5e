import ComponentKit
import HostContract
import HostTestSupport
import NXKit
import PageKit
import TestSupport
import Testing

@testable import ComponentConsole

/// Texts that views refuse as they are, or that could be equal once they are cleaned.
let hostile = [
    "", "\u{0}\u{1B}[2J\n\r\t\u{85}", "\u{1}", "\u{2}", " ", "a\nb", "\u{202E}evil",
    "e\(String(repeating: "\u{301}", count: 1000))",
    String(repeating: "🦊", count: 5000), "javascript:alert(1)", #""],"x":"#, "console", "../..", "<script>",
]

extension ComponentRow {
    static func made(
        _ name: String, _ state: String = "running", reason: String = "", recovery: String? = nil, file: String? = "/f",
        callsInFlight: Int = 0
    ) -> ComponentRow {
        var row = ComponentRow(
            name: name, version: "1.0.0", layer: "business", state: state, file: file, reason: reason,
            recovery: recovery, callsInFlight: callsInFlight, stuckCalls: 0, openWork: 0, isFileGone: false,
            refusedRoutes: [])
        row.code = state == "failed" ? "createFailed" : nil
        return row
    }

    /// Of a text in every place.
    static func made(hostile text: String) -> ComponentRow {
        var row = ComponentRow(
            name: text, version: text, layer: text, state: text, file: text, reason: text, recovery: text,
            callsInFlight: .max, stuckCalls: .min, openWork: -1, isFileGone: true, refusedRoutes: [])
        row.restartVersion = text
        return row
    }
}

extension CounterRow {
    /// - Parameter call: a class and a selector, as in "VideoLink.probe".
    static func made(
        _ call: String, _ component: String = "A", calls: Int = 1, failures: [String: Int] = [:]
    ) -> CounterRow {
        let names = call.split(separator: ".")
        return CounterRow(
            component: component, class: names.dropLast().joined(separator: "."),
            selector: names.last.map(String.init) ?? "", calls: calls, failures: failures, inFlight: 1, stuck: 0,
            lateReplies: 2,
            durations: CallDurations(
                calls: calls, sum: 1.5, p50: 0.005, p90: 0.02, p99: 0.02,
                buckets: [DurationBucket(upTo: 0.005, calls: 3), DurationBucket(calls: 1)]))
    }
}

extension ViewNode {
    /// The cells of all rows of tables.
    var cells: [[String]] {
        all.compactMap { if case .tableRow(let row) = $0.content { row.cells } else { nil } }
    }

    /// The figures with their names.
    var figures: [String: String] {
        Dictionary(
            all.compactMap { if case .stat(let stat) = $0.content { (stat.label, stat.value) } else { nil } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The titles of buttons.
    var buttons: [String] {
        all.compactMap { if case .button(let button) = $0.content { button.title } else { nil } }
    }

    /// The actions of all views.
    var actions: [Action] { all.flatMap { [$0.action].compactMap(\.self) + $0.sideActions } }
}

@Suite("Views of the console")
struct ConsoleViewTests {
    @Test("the summary counts components by state, and all calls")
    func summary() throws {
        let state = SummaryState(
            [.made("A"), .made("B"), .made("C", "failed"), .made("D", "available")],
            CounterList(
                methods: [
                    .made("ALink.run", calls: 5, failures: ["methodFailed": 2]),
                    .made("ConsoleLog.log", "Console", calls: 7), .made("hslink.Host.contents", "host", calls: 9),
                ], observers: ["Console"]))
        let view = OverviewView.summary(state).node
        try view.check()
        #expect(
            view.figures == [
                "Components running": "2", "Components failed": "1", "Components available": "1", "Calls": "5",
                "Failed calls": "2", "In flight": "1", "Stuck": "0", "Late replies": "2",
            ])
        #expect(view.texts.contains { $0.hasPrefix(SystemInfo.current.kernel) })
    }

    @Test(
        "a counter says what it has counted, also where there is no selector",
        arguments: [
            ("L", "run", "L.run"), ("L", "", "L.unknown selectors"), ("", "", "missing classes"),
            ("object", "", "objects"), ("object", "run", "object.run"), ("closure", "", "closures"),
        ])
    func names(class: String, selector: String, name: String) {
        var row = CounterRow.made("L.run")
        (row.class, row.selector) = (`class`, selector)
        #expect(row.call == name)
    }

    @Test("calls of methods that handle what tells pages to ask again are no news")
    func handlers() {
        let handler = EventHandlerRow(component: "A", class: "L", selector: "changed")
        let rows = [("L.changed", "A"), ("L.other", "A"), ("L.changed", "B")].map { CounterRow.made($0, $1) }
        let list = CounterList(methods: rows, observers: [], handlers: [handler])
        #expect(list.others.map(\.identity) == ["A L.other", "B L.changed"])
        #expect(list.othersFirst.map(\.identity) == ["A L.other", "B L.changed", "A L.changed"])
        var later = list
        later.methods[0].calls += 1
        #expect(later.watched == list.watched)
        later.methods[1].calls += 1
        #expect(later.watched != list.watched)
    }

    @Test("calls in flight of components that work because pages are shown are left out")
    func observers() throws {
        let rows = ["A", "Console"].map { ComponentRow.made($0, callsInFlight: 3) }
        let list = OverviewView.components(ComponentList(rows, ["Console"])).node
        #expect(list.cells.map { $0[6] } == ["3", "–"])
        let contents = HostContents(
            process: nil, components: rows, services: [], rejectedFiles: [], rejectedDirectories: [], conflicts: [])
        for (name, figures) in [("A", ["In flight": "3", "Stuck": "0", "Open work": "0"]), ("Console", [:])] {
            let status = ComponentStatus(name, in: contents, ["Console"])
            #expect(ComponentView.status(status, isAllowed: true).node.figures == figures)
        }
    }

    @Test("the list has what needs attention first, and rows that lead to the pages of components")
    func components() throws {
        let list = ComponentList([
            .made("B", "available"), .made("C", "running"), .made("A", "failed", reason: "no", recovery: "mend it"),
            .made("C", "shadowed", reason: "another file"), .made("log"), .made("with space"),
        ])
        let view = OverviewView.components(list).node
        try view.check()
        #expect(view.cells.map { $0[0] } == ["A", "C", "log", "with space", "B", "C"])
        #expect(view.cells.first == ["A", "failed", "no", "mend it", "1.0.0", "business", "–", "–"])
        #expect(view.actions == ["A", "C", "B"].map { .show(page: "console.\($0)") })
        #expect(OverviewView.components(ComponentList([])).node.texts == ["The host has found no components."])
    }

    @Test("what is not used is named with reasons")
    func unused() throws {
        let contents = HostContents(
            process: 1, components: [], services: [],
            rejectedFiles: [RejectionRow(path: "/p/a.so", code: "notElf", reason: "a text file")],
            rejectedDirectories: [RejectionRow(path: "/q", code: "worldWritable", reason: "chmod o-w /q")],
            conflicts: [ConflictRow(className: "L", winner: nil, loser: "A")])
        let refused = UnusedRouteRow(pattern: "a://b", component: "A", class: "L", selector: "open", reason: "again")
        let view = OverviewView.unused(UnusedState(contents, [refused])).node
        try view.check()
        #expect(
            view.cells == [
                ["/q", "worldWritable", "chmod o-w /q"], ["/p/a.so", "notElf", "a text file"],
                ["L", "the host itself", "A"], ["a://b", "A", "L.open", "again"],
            ])
        let none = HostContents(
            process: nil, components: [], services: [], rejectedFiles: [], rejectedDirectories: [], conflicts: [])
        #expect(
            OverviewView.unused(UnusedState(none, [])).node.texts == ["The host uses everything that it has found."])
    }

    static let changes: [(state: String, isAllowed: Bool, buttons: [String])] = [
        ("available", true, ["Load"]), ("failed", true, ["Try again"]), ("running", true, []), ("shadowed", true, []),
        ("disabled", true, []), ("available", false, []), ("failed", false, []), ("running", false, []),
    ]

    @Test("a component can be loaded or tried again if that is allowed and makes sense", arguments: changes)
    func status(state: String, isAllowed: Bool, buttons: [String]) throws {
        let contents = HostContents(
            process: nil, components: [.made("A", state, reason: "it broke", recovery: "mend it")],
            services: [
                ServiceRow(
                    service: "a.b/1", component: "A", version: nil, className: "L", isChosen: true, state: state,
                    reason: "")
            ], rejectedFiles: [], rejectedDirectories: [], conflicts: [])
        let view = ComponentView.status(ComponentStatus("A", in: contents), isAllowed: isAllowed).node
        try view.check()
        #expect(view.buttons == buttons)
        #expect(view.texts.contains("It broke."))
        #expect(view.texts.contains("To recover: mend it"))
        #expect(view.texts.contains(Permission.changes.refusal) == (!isAllowed && state != "running"))
        #expect(view.cells == [["a.b/1", "L", "yes", ""]])
        let gone = ComponentView.status(ComponentStatus("B", in: contents), isAllowed: true).node
        #expect(gone.texts == ["There is no component B now."])
    }

    @Test("scanning again is offered if it is allowed, and otherwise it says how to allow it")
    func rescanning() throws {
        #expect(OverviewView.rescanning(isAllowed: true).node.buttons == ["Scan the directories again"])
        let refused = OverviewView.rescanning(isAllowed: false).node
        #expect(refused.actions == [])
        #expect(refused.texts.first?.contains("--set ComponentConsole.changes=true") == true)
        #expect(CallView.refused().node.texts.first?.contains("--set ComponentConsole.calls=true") == true)
    }

    @Test("the log has the newest line first, from a level on")
    func log() throws {
        let levels = ["debug", "info", "warning", "error", "critical"]
        let lines = levels.enumerated().map { number, level in
            LogLine(number: number, time: Timestamp(seconds: 0), level: level, component: "A", message: "m\(number)\nx")
        }
        for (choice, count) in [(LogChoice.debug, 5), (.info, 4), (.warning, 3), (.error, 2)] {
            let view = LogView.log(LogState(lines, from: choice)).node
            try view.check()
            #expect(view.cells.map { $0[1] } == levels.suffix(count).reversed())
            #expect(view.cells.first == ["1970-01-01 00:00:00.000", "critical", "A", "m4\nx"])
            #expect(view.buttons.count == 4)
        }
        let many = (0..<500).map {
            LogLine(number: $0, time: Timestamp(seconds: 0), level: "info", component: "A", message: "m\($0)")
        }
        let view = LogView.log(LogState(many, from: .info)).node
        #expect(view.cells.count == 200 && view.cells.first?.last == "m499")
        #expect(view.texts == ["300 older ones are left out."])
    }

    @Test("counters have a chart of the methods that are called most, and durations of the chosen one")
    func counters() throws {
        let methods = (0..<150).map {
            CounterRow.made("L.m\($0)", calls: 1000 - $0, failures: ["stuck": 1, "noReply": 2])
        }
        let own = CounterRow.made("ConsoleLog.log", "Console", calls: 2000)
        let list = CounterList(methods: [own] + methods, observers: ["Console"])
        let view = CounterViews.counters(list).node
        try view.check()
        #expect(view.cells.count == 100)
        // Those that are called because pages are shown come last.
        let few = CounterViews.counters(CounterList(methods: [own, methods[0]], observers: ["Console"])).node
        #expect(few.cells.map(\.first) == ["L.m0", "ConsoleLog.log"])
        #expect(view.cells[0] == ["L.m0", "A", "1000", "3", "1", "–", "2", "5 ms", "20 ms", "noReply 2, stuck 1"])
        guard case .chart(let chart)? = view.all.first(where: { $0.content.kind == "chart" })?.content else {
            Issue.record("there is no chart")
            return
        }
        #expect(chart.labels.count == 10 && chart.series.first?.values.first == 1000)

        for (chosen, shown) in [(nil, "L.m0"), ("L.m7", "L.m7"), ("gone", "L.m0")] as [(String?, String)] {
            let view = CounterViews.histogram(HistogramState(list, of: chosen)).node
            try view.check()
            #expect(view.fields.first?.value == .string(shown))
            guard case .chart(let chart)? = view.all.first(where: { $0.content.kind == "chart" })?.content else {
                Issue.record("there is no chart")
                return
            }
            #expect(chart.labels == ["up to 5 ms", "longer"] && chart.series.first?.values == [3, 1])
        }
        let none = CounterList(methods: [], observers: [])
        for view in [CounterViews.counters(none).node, CounterViews.histogram(HistogramState(none, of: nil)).node] {
            try view.check()
            #expect(view.texts == ["No method has been called."])
        }
    }

    @Test("times are shown if the host records them, and otherwise how to have it do so")
    func times() throws {
        let view = CounterViews.times([
            ActivityTime(component: "A", activity: "start", count: 1, total: 0.25, longest: 0.25),
            ActivityTime(component: "", activity: "a.b/c", count: 3, total: 0.002, longest: 0.001),
        ]).node
        try view.check()
        #expect(
            view.cells == [["A", "start", "1", "250 ms", "250 ms"], ["the program", "a.b/c", "3", "2 ms", "1 ms"]])
        #expect(CounterViews.times(nil).node.texts.first?.contains("hslink run --profile") == true)
    }

    @Test("posts are newest first, without those by which pages are told to ask again")
    func posts() throws {
        let posts = ["a.b/c", PageModuleChanged.eventName, "a.b/d"].enumerated().map { number, name in
            EventPost(number: number, time: Timestamp(seconds: 0), event: name, handlers: 2, isSticky: number == 0)
        }
        let view = EventViews.posts(PostList(posts)).node
        try view.check()
        #expect(view.cells.map { Array($0.dropFirst()) } == [["a.b/d", "2", ""], ["a.b/c", "2", "yes"]])
    }

    @Test("the frame leads to all pages of the console, and to the first page if there is one")
    func frame() throws {
        for hasHome in [true, false] {
            let view = FrameView.frame(hasHome: hasHome).node
            try view.check()
            let pages = ConsolePage.allCases.map(\.rawValue) + (hasHome ? ["home"] : [])
            #expect(view.actions == pages.map { .show(page: $0) })
        }
    }

    @Test(
        "only components whose names can be part of an id have pages",
        arguments: [
            ("ComponentVideo", true), ("a.b-c_9", true), ("log", false), ("counters", false), ("", false),
            ("with space", false), ("é", false), ("a/b", false), (String(repeating: "x", count: 120), true),
            (String(repeating: "x", count: 121), false), ("\u{1}", false), ("component", true),
        ])
    func ids(component: String, hasPage: Bool) throws {
        #expect((ConsolePage.id(of: component) != nil) == hasPage)
        guard let file = ConsolePage.file(of: component) else { return }
        let page = try Payload(json: file.text)
        #expect(try page.string("page") == "console.\(component)" && file.name == "console.\(component).json")
    }
}
