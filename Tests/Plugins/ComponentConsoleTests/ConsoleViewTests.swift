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
        row.lastCrash = text
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

    /// The rows of all tables: each cell by the title of its column.
    var records: [[String: String]] {
        all.flatMap { node -> [[String: String]] in
            guard case .table(let table) = node.content else { return [] }
            return node.children.map { row in
                Dictionary(zip(table.columns.map(\.title), row.cells.first ?? [])) { first, _ in first }
            }
        }
    }

    /// The words of badges with their tones, in rows as well.
    var badges: [BadgeContent] {
        all.flatMap { node -> [BadgeContent] in
            switch node.content {
            case .badge(let badge): [badge]
            case .tableRow(let row):
                zip(row.cells, row.styles).compactMap { cell, style in
                    if case .badge(let tone) = style { BadgeContent(text: cell, tone: tone) } else { nil }
                }
            default: []
            }
        }
    }

    /// The notes with their meaning.
    var notes: [TextContent] {
        all.compactMap { node in
            guard case .text(let text) = node.content else { return nil }
            return [.success, .warning, .failure].contains(text.style) ? text : nil
        }
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
    private func contents(
        _ components: [ComponentRow], files: [RejectionRow] = [], directories: [RejectionRow] = [],
        conflicts: [ConflictRow] = []
    ) -> HostContents {
        HostContents(
            process: 1, components: components, services: [], rejectedFiles: files, rejectedDirectories: directories,
            conflicts: conflicts)
    }

    @Test("the summary counts components, and all calls")
    func summary() throws {
        let counters = CounterList(
            methods: [
                .made("ALink.run", calls: 5, failures: ["methodFailed": 2, "cancelled": 3]),
                .made("ConsoleLog.log", "Console", calls: 7), .made("hslink.Host.contents", "host", calls: 9),
            ], observers: ["Console"])
        let components: [ComponentRow] = [
            .made("A"), .made("B"), .made("C", "failed"), .made("D", "available"), .made("A", "shadowed"),
            .made("E", "disabled"),
        ]
        let view = OverviewView.summary(SummaryState(contents(components), [], counters: counters)).node
        try view.check()
        #expect(
            view.figures == ["Running": "2 of 4", "Calls": "5", "Failed": "2", "In flight": "1", "Stuck": "0"])
        #expect(view.actions.contains(.show(page: "console.counters")))
        #expect(view.texts.contains { $0.contains(SystemInfo.current.kernel) })
        // Calls that were given up are no failures, and then the figure leads nowhere.
        let calm = CounterList(methods: [.made("ALink.run", failures: ["cancelled": 3])], observers: [])
        let calmView = OverviewView.summary(SummaryState(contents([.made("A")]), [], counters: calm)).node
        #expect(calmView.figures["Failed"] == "0" && calmView.actions == [])
    }

    static let hosts: [(components: [(String, String)], text: String, style: TextStyle)] = [
        ([("A", "running"), ("B", "running")], "All 2 loaded components run.", .success),
        ([("A", "running")], "The only loaded component runs.", .success),
        (
            [("A", "running"), ("B", "running"), ("C", "available")],
            "All 2 loaded components run; 1 more starts when needed.", .success
        ),
        ([("A", "available")], "All is well. No component runs yet; each starts when it is needed.", .success),
        ([], "The host has found no components.", .warning),
        ([("A", "failed"), ("B", "running")], "A has failed: it broke.", .failure),
    ]

    @Test("the overview says at its top whether the host is well", arguments: hosts)
    func health(components: [(String, String)], text: String, style: TextStyle) throws {
        let rows = components.map { ComponentRow.made($0.0, $0.1, reason: $0.1 == "failed" ? "it broke" : "") }
        let view = OverviewView.summary(
            SummaryState(contents(rows), [], counters: CounterList(methods: [], observers: []))
        ).node
        try view.check()
        #expect(view.notes == [TextContent(text: text, style: style)])
    }

    @Test("the overview names everything that is wrong, failures first")
    func problems() throws {
        var gone = ComponentRow.made("G")
        gone.isFileGone = true
        var newer = ComponentRow.made("N")
        newer.restartVersion = "1.1.0"
        var stuck = ComponentRow.made("S")
        stuck.stuckCalls = 2
        var crashed = ComponentRow.made("V")
        crashed.lastCrash = "crashed in VLink.probe with SIGSEGV on the thread main (7) at 2026-11-28T17:17:27Z"
        let failed = (1...5).map { ComponentRow.made("F\($0)", "failed") }
        let files = ["a", "b"].map { RejectionRow(path: "/p/\($0).so", code: "notElf", reason: "a text file") }
        let contents = contents(
            [gone, newer, crashed, stuck] + failed, files: files,
            directories: [RejectionRow(path: "/q", code: "worldWritable", reason: "chmod o-w /q")],
            conflicts: [ConflictRow(className: "L", winner: nil, loser: "A")])
        let refused = UnusedRouteRow(pattern: "a://b", component: "A", class: "L", selector: "open", reason: "again.")
        let problems = HostProblem.all(of: contents, [refused])
        #expect(
            problems.map(\.text) == [
                "F1 has failed.", "F2 has failed.", "F3 has failed.", "2 more components have failed.",
                "2 files are not used: a.so, b.so.", "1 directory is not searched: /q – chmod o-w /q.",
                "1 class is declared more than once: L.", "1 route is not used: a://b – again.",
                "G runs, but its file is gone. It will be missing after a restart.",
                "N is still version 1.0.0. A restart loads version 1.1.0.",
                "V crashed in VLink.probe with SIGSEGV on the thread main (7) at 2026-11-28T17:17:27Z, and ended the host "
                    + "before.",
                "S has 2 stuck calls: the caller has given up, but the method still runs.",
            ])
        #expect(problems.map(\.isFailure) == Array(repeating: true, count: 8) + Array(repeating: false, count: 4))
        #expect(problems.first?.page == "console.F1" && problems.last?.page == "console.S")
    }

    @Test("a long table shows more rows if people ask for them, as far as there is room")
    func tables() throws {
        func table(_ count: Int, in context: PageContext?, bytes: Int = 1 << 20) throws -> ViewNode {
            let table = LongTable(
                ["A", "B"], Array(0..<count), in: context, most: 2, bytes: bytes, empty: "none", key: \.description
            ) {
                TableRow(["\($0)", .code("x")])
            }
            try table.node.check()
            return table.node
        }
        #expect(try table(0, in: nil).texts == ["none"])
        #expect(try table(2, in: nil).cells == [["0", "x"], ["1", "x"]])
        #expect(try table(3, in: nil).texts == ["1 more is not listed."])
        var context = PageContext(page: "p", section: "s")
        #expect(try table(5, in: context).actions == [context.more(title: "Show more (3 left)")])
        context.parts = 2
        #expect(try table(5, in: context).cells.count == 4)
        context.parts = 3
        #expect(try table(5, in: context).actions == [])
        let short = try table(5, in: context, bytes: 1)
        #expect(short.cells.count == 1 && short.actions == [] && short.texts == ["4 more are not listed."])
    }

    @Test("the calls of the last quarter of an hour are a chart, from the second reading on")
    func activity() throws {
        var history = ActivityHistory()
        #expect(try activityTexts(of: history).first?.hasPrefix("Calls are counted from now on.") == true)
        history.add(CallFigures([CounterRow.made("L.run", calls: 100, failures: ["methodFailed": 1])]))
        #expect(history.intervals == [])
        history.add(CallFigures([CounterRow.made("L.run", calls: 103, failures: ["methodFailed": 3, "cancelled": 5])]))
        // The counts of a component are forgotten with its file.
        history.add(CallFigures([CounterRow.made("L.run", calls: 2)]))
        #expect(history.intervals == [.init(calls: 3, failed: 2), .init(calls: 0, failed: 0)])
        #expect(history.labels == ["15 s ago", "now"])
        #expect(try activityTexts(of: history) == ["Calls in the last minute, every 15 seconds"])
        for calls in 0..<100 { history.add(CallFigures([CounterRow.made("L.run", calls: 2 + calls)])) }
        #expect(history.intervals.count == 60)
        #expect(history.labels.first == "14 min 45 s ago")
        #expect(try activityTexts(of: history) == ["Calls in the last 15 minutes, every 15 seconds"])
    }

    private func activityTexts(of history: ActivityHistory) throws -> [String] {
        let view = OverviewView.activity(history).node
        try view.check()
        let titles = view.all.compactMap { if case .chart(let chart) = $0.content { chart.title } else { nil } }
        return view.texts + titles
    }

    @Test("calls are recorded until that is ended, also when the host cannot answer for a while")
    func recording() async {
        let readings = Lock(0)
        let recorder = ActivityRecorder(every: .milliseconds(1)) {
            let number = readings.withLock { readings -> Int in
                readings += 1
                return readings
            }
            if number == 2 || number > 4 { throw LinkError(.stopped, message: "not now") }
            return CallFigures([CounterRow.made("L.run", calls: number)])
        }
        #expect(recorder.history.intervals == [] && !recorder.isRecording)
        recorder.start()
        recorder.start()
        #expect(await holds { recorder.history.intervals.count == 2 })
        #expect(recorder.history.intervals == [.init(calls: 2, failed: 0), .init(calls: 1, failed: 0)])
        recorder.end()
        #expect(await holds { !recorder.isRecording })
        recorder.start()
        #expect(!recorder.isRecording)
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
        #expect(list.records.map { $0["In flight"] } == ["3", "–"])
        let contents = HostContents(
            process: nil, components: rows, services: [], rejectedFiles: [], rejectedDirectories: [], conflicts: [])
        let figures = ["Calls in flight": "3", "Stuck calls": "0", "Open work": "0"]
        for (name, figures) in [("A", figures), ("Console", [:])] {
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
        #expect(
            view.records.first == [
                "Component": "A", "State": "failed", "Reason": "no", "What to do": "mend it", "Version": "1.0.0",
                "Layer": "business", "In flight": "–", "Stuck": "–",
            ])
        let tones: [Tone] = [.failure, .success, .success, .success, .neutral, .warning]
        #expect(view.badges.map(\.tone) == tones)
        #expect(view.actions == ["A", "C", "B"].map { .show(page: "console.\($0)") })
        #expect(OverviewView.components(ComponentList([])).node.texts.contains("The host has found no components."))
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
                ["/q", "world writable", "chmod o-w /q"], ["/p/a.so", "not elf", "a text file"],
                ["L", "the host itself", "A"], ["a://b", "A", "L.open", "again"],
            ])
        let none = HostContents(
            process: nil, components: [], services: [], rejectedFiles: [], rejectedDirectories: [], conflicts: [])
        #expect(OverviewView.unused(UnusedState(none, [])).node.children == [])
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
        #expect(view.texts.contains("What to do: Mend it."))
        #expect(view.texts.contains(Permission.changes.refusal) == (!isAllowed && state != "running"))
        #expect(view.badges.map(\.text) == [state])
        #expect(view.cells == [["a.b/1", "L", "by default", ""]])
        let gone = ComponentView.status(ComponentStatus("B", in: contents), isAllowed: true).node
        #expect(gone.texts == ["There is no component B now."])
    }

    @Test("scanning again is offered if it is allowed, and otherwise it says how to allow it")
    func rescanning() throws {
        let list = ComponentList([])
        #expect(OverviewView.components(list, isAllowed: true).node.buttons == ["Scan again"])
        let refused = OverviewView.components(list).node
        #expect(refused.actions == [])
        #expect(refused.texts.contains { $0.contains("--set ComponentConsole.changes=true") })
        #expect(CallView.refused().node.texts.first?.contains("--set ComponentConsole.calls=true") == true)
    }

    private func logLine(_ number: Int, _ level: String, message: String, of component: String = "A") -> LogLine {
        LogLine(
            number: number, time: Timestamp(seconds: 0), level: level, component: component, message: message)
    }

    @Test("the log has the newest line first, from a level on")
    func log() throws {
        let levels = ["debug", "info", "warning", "error", "critical"]
        let lines = levels.enumerated().map { logLine($0, $1, message: "m\($0)\nx") }
        for (choice, count) in [(LogChoice.debug, 5), (.info, 4), (.warning, 3), (.error, 2)] {
            let view = LogView.log(LogState(lines, LogFilter(level: choice))).node
            try view.check()
            #expect(view.cells.map { $0[1] } == levels.suffix(count).reversed())
            #expect(view.cells.first == ["1970-01-01T00:00:00.000Z", "critical", "A", "m4\nx"])
            let titles = ["All (5)", "Info (4)", "Warnings (3)", "Errors (2)"]
            #expect(view.buttons.map { $0.replacing("✓ ", with: "") } == titles + ["Pause"])
            // Not told by the colour alone.
            #expect(view.buttons.filter { $0.hasPrefix("✓ ") }.map { $0.hasSuffix("(\(count))") } == [true])
        }
        let many = (0..<500).map { logLine($0, "info", message: "m\($0)") }
        let view = LogView.log(LogState(many), in: PageContext(page: "p", section: "s")).node
        #expect(view.cells.count == 200 && view.cells.first?.last == "m499")
        #expect(view.actions.contains { $0.title == "Show more (300 left)" })
    }

    @Test("the log shows only lines with the text that is looked for, and no new ones while it is paused")
    func logFilter() throws {
        let lines = [
            logLine(1, "info", message: "Ready"), logLine(2, "error", message: "no disk"),
            logLine(3, "info", message: "x", of: "DiskCache"),
        ]
        func view(_ filter: LogFilter) throws -> ViewNode {
            let view = LogView.log(LogState(lines, filter)).node
            try view.check()
            return view
        }
        let found = try view(LogFilter(text: "DISK"))
        #expect(found.records.map { $0["Message"] } == ["x", "no disk"])
        #expect(found.buttons.first == "All (2)" && found.fields.first?.value == "DISK")
        #expect(try view(LogFilter(text: "absent")).texts == ["No line contains this text."])
        let paused = try view(LogFilter(last: 1))
        #expect(paused.records.map { $0["Message"] } == ["Ready"] && paused.buttons.last == "Resume (2 new)")
        #expect(try view(LogFilter(last: 3)).buttons.last == "Resume")
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
        // The methods that have failed, and the first of all.
        #expect(view.records.filter { $0["Median"] != nil }.count == 20)
        #expect(view.buttons == ["Show all 151 methods"])
        let all = CounterViews.counters(list, showsAll: true).node
        #expect(all.records.filter { $0["Median"] != nil }.count == 151 && all.buttons == [])
        let failing = view.records.filter { $0["Median"] == nil }
        #expect(failing.count == 10)
        #expect(
            failing.first == [
                "Method": "L.m0", "Component": "A", "Failed": "3", "Calls": "1000",
                "Why": "no reply (2), stuck (1)",
            ])
        // Those that are called because pages are shown come last.
        let few = CounterViews.counters(CounterList(methods: [own, methods[0]], observers: ["Console"])).node
        #expect(few.records.filter { $0["Median"] != nil }.map { $0["Method"] } == ["L.m0", "ConsoleLog.log"])
        #expect(
            few.records.last { $0["Method"] == "L.m0" } == [
                "Method": "L.m0", "Component": "A", "Calls": "1000", "Failed": "3", "Cancelled": "–", "In flight": "1",
                "Stuck": "–", "Late": "2", "Median": "5 ms", "99 % within": "20 ms",
            ])
        #expect(CounterViews.table([methods[0]]).node.records.first?["Why"] == "no reply (2), stuck (1)")
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
            let view = FrameView.frame(of: "console", hasHome: hasHome).node
            try view.check()
            let pages = ConsolePage.allCases.map(\.rawValue) + (hasHome ? ["home"] : [])
            #expect(view.actions == pages.map { .show(page: $0) })
        }
        for (page, title) in [("console", "Components"), ("console.log", "Log"), ("console.Zoo", nil)] {
            let view = FrameView.frame(of: page, hasHome: true).node
            #expect(view.content == .frame(FrameContent(title: title)))
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
