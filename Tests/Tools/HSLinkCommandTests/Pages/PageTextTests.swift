import ComponentKit
import PageKit
import Testing

@testable import hslink

@Suite("PageText")
struct PageTextTests {
    private static let widths: [Int?] = [20, 40, 80, nil]

    @Test("no line is wider than the terminal", arguments: SampleViews.samples, widths)
    func width(view: SampleView, width: Int?) {
        for hidesActions in [false, true] {
            let lines = SamplePage.text(width: width, hidesActions: hidesActions).lines(of: SamplePage.of(view.node))
            #expect(!lines.isEmpty)
            if let width { #expect(lines.allSatisfy { $0.width <= width }, "\(lines.joined(separator: "\n"))") }
            #expect(lines.allSatisfy { !$0.contains("\u{1B}") && !$0.hasSuffix(" ") })
        }
    }

    @Test("views in each other become no wider than the terminal", arguments: [20, 40])
    func nesting(width: Int) {
        var view = Card("Innermost card with a long title", subtitle: "a subtitle") { SampleViews.all }.node
        for level in 0..<12 {
            view =
                Stack(level.isMultiple(of: 2) ? .horizontal : .vertical) {
                    Card("Level \(level)") { Grid(columns: 3) { [view, Text("beside it").node] } }
                }.node
        }
        let lines = SamplePage.text(width: width).lines(of: SamplePage.of(view))
        #expect(lines.allSatisfy { $0.width <= width })
        #expect(lines.contains { $0.contains("beside it") })
    }

    /// A text, which the log of the tests shows by its number.
    struct Hostile: Sendable, CustomTestStringConvertible {
        let number: Int
        let text: String
        var testDescription: String { "text \(number)" }
    }

    private static let hostile = [
        "\u{1B}[2J\u{1B}]0;title\u{7}", "a\rb\u{8}c\u{0}", "\u{202E}dlrow\u{2066}x",
        "\u{200B}\u{2028}\u{FEFF}\u{9B}31m",
        String(repeating: "x", count: 500), "\u{1F469}\u{200D}\u{1F680}\u{1F600}\u{2705}" + "漢字かな交じり文の長い行です。全角",
        "e\u{301}\u{301}\u{301}\r\n\tz", "' \" \\ $(id) `id`\n; rm -rf ~",
    ].enumerated().map { Hostile(number: $0, text: $1) }

    @Test(
        "no text of a component controls the terminal or leaves its line", arguments: hostile, [20, 40, nil] as [Int?])
    func hostileTexts(hostile: Hostile, width: Int?) {
        let text = hostile.text
        var page = SamplePage.of(SampleViews.hostile(text))
        page.title = text
        page.sections[0].title = text
        page.sections[0].name = text
        page.frame = PageSection(
            name: text, module: text, state: .failed, layout: SectionLayout(),
            view: PageFrame { Button(text, .show(page: text)) }.header { Text(text) }.node)
        for hasColor in [false, true] {
            let lines = SamplePage.text(width: width, hasColor: hasColor).lines(of: page)
            for line in lines {
                var plain = line
                for ink in [Ink.strong, .faint, .link, .bad, .good, .caution] {
                    plain = plain.replacing(ink.rawValue, with: "")
                }
                plain = plain.replacing("\u{1B}[0m", with: "")
                if let width { #expect(plain.width <= width, "\(line)") }
                #expect(!plain.unicodeScalars.contains(where: Self.isMisleading), "\(plain)")
            }
        }
    }

    private static func isMisleading(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: scalar != "\u{200D}"
        default: false
        }
    }

    @Test("colour is used only on a terminal that has it, and changes nothing else")
    func color() {
        for view in SampleViews.all {
            let page = SamplePage.of(view)
            let plain = SamplePage.text(width: 60).lines(of: page)
            let colored = SamplePage.text(width: 60, hasColor: true).lines(of: page).map { line in
                line.replacing(#/\u{1B}\[[0-9]+m/#, with: "")
            }
            #expect(colored == plain)
        }
        #expect(SamplePage.text(hasColor: true).lines(of: Text("x", style: .heading).node) == ["\u{1B}[1mx\u{1B}[0m"])
    }

    private static let kindLines: [(ViewNode, [String])] = [
        (Text("a\n\tb").node, ["a", "    b"]),
        (Text("T", style: .title).node, ["T", "─"]), (Text("let x = 1", style: .code).node, ["    let x = 1"]),
        (Text("done", style: .success).node, ["✓ done"]), (Text("hot", style: .warning).node, ["! hot"]),
        (Text("broken", style: .failure).node, ["✗ broken"]),
        (Hyperlink("Swift", to: "https://swift.org").node, ["Swift <https://swift.org>"]),
        (Hyperlink("https://swift.org", to: "https://swift.org").node, ["<https://swift.org>"]),
        (Button("Home", .show(page: "home")).node, ["[Home]  → hslink page home --host sock"]),
        (Icon("star", label: "favourite").node, ["favourite"]), (Icon("star").node, []),
        (Image(.resource("a.png"), describing: "a cat").node, ["[picture: a cat] a.png"]),
        (Image(.bytes([1, 2], type: "image/png"), describing: "").node, []),
        (
            MediaPlayer(.file(path: "a.mp4", component: "Video"), title: "A film", duration: 3723).node,
            ["▶ A film (1:02:03)  a.mp4 in the data of Video"]
        ),
        (Badge("running", .success).node, ["● running"]),
        (Row("A", detail: "b", badge: "3").node, ["• A  b (3)"]),
        (Row("A", detail: "b\nc") { Text("d") }.node, ["• A", "  b", "  c", "  d"]),
        (List("L", empty: "None.") {}.node, ["L", "None."]),
        (
            Table(["Name", .init("Size", alignment: .trailing)]) {
                TableRow(["a", "1"])
                TableRow(["bcdef", "23456"])
            }.node, ["Name    Size", "─────  ─────", "a          1", "bcdef  23456"]
        ),
        (
            Table(["", "None", "Some", "End"]) {
                TableRow(["", "–", "x", ""])
                TableRow(["", "", "–", ""])
            }.node, ["  Some", "  ────", "  x", "  –"]
        ),
        (Table(["a", "b"]) {}.node, ["a  b", "─  ─"]),
        (
            Table(["Since", "State"]) { TableRow([.time(Timestamp(seconds: 0)), .badge("on", .success)]) }.node,
            ["Since                     State", "────────────────────────  ─────", "1970-01-01T00:00:00.000Z  on"]
        ),
        (Grid(columns: 2) { [Text("a"), Text("b"), Text("c")] }.node, ["a   b", "c"]),
        (Stack(.horizontal) { [Text("a"), Text("b")] }.node, ["a   b"]),
        (Stack { [Text("a"), Text("b")] }.node, ["a", "b"]),
        (Card("C", subtitle: "s") { Text("text") }.node, ["┌─ C ──┐", "│ s    │", "│ text │", "└──────┘"]),
        (Card("C") { Text("text") }.folded().node, ["C (folded)"]),
        (Card("C") { Text("text") }.folded(false).node, ["┌─ C ──┐", "│ text │", "└──────┘"]),
        (
            Tabs {
                Tab("One") { Text("1") }
                Tab("Two") { Text("2") }
            }.node, ["▸ One", "  1", "", "▸ Two", "  2"]
        ),
        (
            Stack { [Floating { Text("b") }.node, Text("m").node, Floating(.top) { Text("t") }.node] }.node,
            ["t", "m", "b"]
        ),
        (ProgressBar("Copy", fraction: 0.5).node, ["Copy  ██████████░░░░░░░░░░ 50 %"]),
        (ProgressBar("Copy").node, ["Copy  … (in progress)"]),
        (Stat("Calls", "12", unit: "per second", change: "+3 %").node, ["Calls: 12 per second (+3 %)"]),
        (Placeholder("Soon").node, ["Soon"]), (Placeholder("Soon", isLoading: true).node, ["… Soon (loading)"]),
        (Failure("broken", advice: "wait").node, ["✗ broken", "  wait"]),
        (Failure("broken", advice: "wait", detail: "A.b: no c").node, ["✗ broken", "  wait", "  A.b: no c"]),
        (
            Chart(.line, title: "Load", labels: ["a", "b", "c"], [ChartSeries(name: "cpu", values: [0, 4, 8])])
                .node,
            ["Load", "cpu ▁▅█", "a … c: from 0 to 8"]
        ),
    ]

    @Test("each kind of view says what it shows", arguments: kindLines.map { (SampleView(node: $0), $1) })
    func kinds(view: SampleView, lines: [String]) { #expect(SamplePage.text().lines(of: view.node) == lines) }

    @Test("states have colours on a terminal, and times are in its zone")
    func terminal() {
        var text = SamplePage.text(width: 60, hasColor: true)
        text.zone = TerminalZone { $0 < 1000 ? 5400 : nil }
        func line(_ cell: TableCell) -> String? { text.lines(of: Table([""]) { TableRow([cell]) }.node).last }
        #expect(line(.time(Timestamp(seconds: 5, nanoseconds: 6_000_000))) == "1970-01-01 01:30:05.006")
        #expect(line(.time(Timestamp(seconds: 1000))) == "1970-01-01T00:16:40.000Z")
        #expect(line(TableCell("", .time)) == "")
        #expect(line(.badge("on", .success)) == "\u{1B}[32mon\u{1B}[0m" && line(.badge("off")) == "off")
        #expect(text.lines(of: Badge("off", .failure).node) == ["\u{1B}[31m● off\u{1B}[0m"])
        #expect(
            text.lines(of: Row("a", badge: "b", tone: .warning).node)
                == ["• \u{1B}[1ma\u{1B}[0m\u{1B}[33m (b)\u{1B}[0m"])
        #expect(text.lines(of: Row("a").current().node) == ["▸ \u{1B}[1ma\u{1B}[0m"])
        let delete = Action.open("a://b", title: "Delete", role: .destructive)
        #expect(text.lines(of: Button("x", delete).node).first?.hasPrefix("\u{1B}[31m[x]\u{1B}[0m") == true)
        #expect(text.lines(of: Form("x", delete) {}.node).first?.contains("\u{1B}[31m[x]\u{1B}[0m") == true)
        #expect(text.lines(of: Row("a").side(delete).node).first?.contains("\u{1B}[31mDelete: \u{1B}[0m") == true)
        #expect(text.lines(of: Stat("a", "1", tone: .failure).node) == ["a: \u{1B}[31m1\u{1B}[0m"])
        #expect(TerminalZone.current.text(of: Timestamp(seconds: 1 << 50)) == nil)
    }

    @Test("where each cell has a line of its own, blank ones are left out")
    func narrow() {
        let table = Table((0..<20).map { TableColumn("C\($0)") }) {
            TableRow((0..<20).map { TableCell($0 == 0 || $0 == 19 ? "x" : "–") })
            TableRow((0..<20).map { TableCell($0 == 0 ? "–" : "y\($0)") })
        }
        let lines = SamplePage.text(width: 40, hidesActions: true).lines(of: table.node)
        #expect(lines.prefix(4) == ["C0: x", "C19: x", "", "C0: –"] && lines.count == 23)
    }

    @Test("bars are as long as their values")
    func bars() {
        let chart = Chart(
            .bar, title: "Sales", labels: ["Mon", "Tue"],
            [ChartSeries(name: "Books", values: [1, 2]), ChartSeries(name: "Pens", values: [0, -0.5])])
        #expect(
            SamplePage.text(width: 20).lines(of: chart.node) == [
                "Sales", "Mon", "Books █████ 1", "Pens   0", "Tue", "Books █████████ 2", "Pens  ░░ -0.5",
            ])
    }

    @Test("a field says how it is filled in, and never shows a password")
    func fields() throws {
        let form = Form("Save", .call("save")) {
            Field("name", "Name", .text(longest: 9), value: "Ada").required().help("Your own.").problem("Taken.")
            Field("word", "Password", .password, value: "secret")
            Field("size", "Size", .choice([FieldChoice(value: "s", title: "Small")]), value: "s")
            Field("age", "Age", .integer(least: 0, most: 9)).required()
            Field("on", "Active", .toggle, value: true)
            Field("agree", "I agree", .toggle).required()
        }
        let page = SamplePage.of(form.node)
        #expect(
            SamplePage.text().lines(of: page).dropFirst(4) == [
                "  Name: Ada", "    name=  text of at most 9 characters, required", "    Your own.", "    ✗ Taken.",
                "  Password:", "    word=  a password: @? asks for it", "  Size: Small", "    size=  one of s (Small)",
                "  Age:", "    age=  a whole number from 0 to 9, required", "  Active: on", "    on=  on or off",
                "  I agree:", "    agree=  on, required",
                "  [Save]  → hslink page sample --perform main/save --host sock 'word=@?' age= agree=",
            ])
    }

    @Test("sections say whether they are folded or not as their modules made them")
    func sections() {
        func section(_ name: String, _ state: SectionState, isFolded: Bool = false) -> PageSection {
            PageSection(
                name: name, module: "m", title: "T", state: state, layout: SectionLayout(isFolded: isFolded),
                view: Text("text of \(name)").node)
        }
        var page = SamplePage.of(Text("x").node)
        page.sections = [
            section("a", .shown), section("b", .loading), section("c", .failed), section("d", .fallback),
            section("e", .shown, isFolded: true),
        ]
        page.sections[1].title = nil
        let lines = [
            "Sample", "══════", "", "── T ──", "text of a", "", "── b (loading) ──", "text of b", "",
            "── T (failed) ──", "text of c", "", "── T (fallback) ──", "text of d", "", "── T (folded) ──",
        ]
        #expect(SamplePage.text().lines(of: page) == lines)
        var text = SamplePage.text()
        text.unfolds = true
        #expect(text.lines(of: page) == lines.dropLast() + ["── T ──", "text of e"])
        #expect(text.lines(of: Card("C") { Text("x") }.folded().node) == ["┌─ C ─┐", "│ x   │", "└─────┘"])
    }

    @Test("the layout of a section adds columns and space")
    func layout() {
        var page = SamplePage.of(List { [Row("a"), Row("b"), Row("c")] }.node)
        page.sections[0].title = nil
        page.sections[0].layout = SectionLayout(columns: 2, inset: 1)
        #expect(
            SamplePage.text(width: 40).lines(of: page).dropFirst(3) == ["", "• a                  • b", "• c"])
        #expect(SamplePage.text(width: 20).lines(of: page).dropFirst(3) == ["", "• a", "• b", "• c"])
    }

    @Test("the layout of a section sets the spaces between its views, and not those further inside")
    func spaces() {
        func lines(_ view: some View, _ layout: SectionLayout, width: Int? = 40) -> [String] {
            var page = SamplePage.of(view.node)
            page.sections[0].title = nil
            page.sections[0].layout = layout
            return Array(SamplePage.text(width: width).lines(of: page).dropFirst(3))
        }
        let rows = List { [Row("a"), Row("b") { Stack { [Text("c"), Text("d")] } }] }
        #expect(lines(rows, SectionLayout(lineSpace: 1)) == ["• a", "", "• b", "  c", "  d"])
        let grid = SectionLayout(columns: 2, itemSpace: 1, lineSpace: 2)
        #expect(
            lines(Stack { [Text("a"), Text("b"), Text("c")] }, grid) == ["a                    b", "", "", "c"])
        #expect(lines(Stack(.horizontal) { [Text("a"), Text("b")] }, SectionLayout(itemSpace: 0)) == ["ab"])
        let blocks = Stack { [List { Row("a") }.node, Text("b").node] }
        #expect(lines(blocks, SectionLayout(lineSpace: 0)) == ["• a", "b"])
    }

    @Test("the header of a section stands just above it")
    func header() {
        var page = SamplePage.of(Text("below").node)
        var header = page.sections[0]
        header.view = Text("above").node
        header.layout.isHeader = true
        page.sections[0].title = nil
        page.sections.insert(header, at: 0)
        let lines = Array(SamplePage.text().lines(of: page).dropFirst(3))
        #expect(lines == ["── Main ──", "above", "below"])
    }

    @Test("a command that is too long for its line continues on the next ones as in a shell")
    func longCommand() {
        let button = Button("Delete", .call("delete"))
        #expect(
            SamplePage.text(width: 30).lines(of: SamplePage.of(button.node)).dropFirst(3) == [
                "── Main ──────────────────────", "[Delete]", "  → hslink page sample \\",
                "      --perform main/delete \\", "      --host sock",
            ])
    }
}
