import ComponentKit
import PageKit
import Testing

@Suite("Views that cannot be shown")
struct ViewLimitTests {
    static let wrong: [(view: ViewNode, problem: String)] = [
        (
            List(["a", "b"]) { Row($0).key("k") }.key("all").node,
            #"list "all": two of its views have the key "k""#
        ),
        (
            Stack {
                Form("x", .call("a")) { Field("b", "B", .toggle) }
                Form("y", .call("a")) { Field("c", "C", .toggle) }
            }.node, "stack › form: another form has the same action"
        ),
        (
            Stack {
                Button("x", .call("a"))
                Form("y", .call("a")) { Field("c", "C", .toggle) }
            }.node, "a form and another view have the same action"
        ),
        (
            Button("x", .call("a", ["b": [[[[[1]]]]]])).node,
            "button: one of its values cannot be sent: b[0][0][0][0]: expected at most 5 levels, found more"
        ),
        (
            {
                var text = Text("x").node
                text.sideActions = [Action](repeating: .refresh(), count: 40_000)
                return text
            }(), "text: the views are more than 300000 values"
        ),
        (
            List { Row("a") }.side(PageContext(page: "p", section: "s").more().asking(1)).node,
            "list: an action asks for 1 parts, expected 2 to 10000"
        ),
        (
            Button("x", .call("a").asking(2)).node, "button: only an action that refreshes asks for more parts"
        ),
        (
            EmbeddedPage("x", at: "mailto:a@b.example").node,
            "hyperlink: its URL does not begin with any of http, https"
        ),
        (
            EmbeddedPage("x", at: "https://a.example", height: 101).node,
            "hyperlink: its height is 101.0, expected 4.0 to 100.0"
        ),
        (Card(subtitle: "x") {}.folded().node, "card: a card that can be folded has a title"),
        (Text("a\u{1B}[31m").node, "text: its text contains the control character U+1B"),
        (Row("a\nb").node, "row: its title contains the control character U+A"),
        (Text("x").key("a\u{0}").node, #"text "a\u{0}": its key contains the control character U+0"#),
        (Text("a\r\n").node, "text: its text contains the control character U+D"),
        (
            Text("x").key(String(repeating: "k", count: 100) + "\u{7}").node,
            #"text "\#(String(repeating: "k", count: 60))…": its key contains the control character U+7"#
        ),
        (
            Hyperlink("x", to: "javascript:alert(1)").node,
            "hyperlink: its URL does not begin with any of http, https, mailto"
        ),
        (Hyperlink("x", to: "//a").node, "hyperlink: its URL does not begin with any of http, https, mailto"),
        (Hyperlink("x", to: "https:logout").node, "hyperlink: its URL is not absolute"),
        (Hyperlink("x", to: "https:///x").node, "hyperlink: its URL is not absolute"),
        (Hyperlink("x", to: #"http:\\evil"#).node, "hyperlink: its URL is not absolute"),
        (Hyperlink("x", to: "mailto:").node, "hyperlink: its URL is not absolute"),
        (Hyperlink("x", to: "http:\\\u{301}evil").node, "hyperlink: its URL is not absolute"),
        (
            Image(.resource("../\u{301}a.png"), describing: "").node,
            "image: its resource \"../\u{301}a.png\" is not a path inside a directory"
        ),
        (Image(.url("https:/admin/delete?id=1"), describing: "").node, "image: its URL is not absolute"),
        (Button("x", .open("JavaScript:alert(1)")).node, "button: its URL begins with javascript"),
        (
            MediaPlayer(.file(path: "../../etc/passwd", component: "Other"), title: "x").node,
            #"player: its source "../../etc/passwd" is not a path inside a directory"#
        ),
        (
            Image(.resource("/a.png"), describing: "").node,
            #"image: its resource "/a.png" is not a path inside a directory"#
        ),
        (
            Chart(.bar, title: "", labels: [String](repeating: "", count: 100_001), []).node,
            "chart: the charts have more than 100000 values"
        ),
        (
            Form("x", .call("y")) {
                Field("a", "A", .choice([FieldChoice](repeating: FieldChoice(value: "", title: ""), count: 200_000)))
            }.node,
            #"form › field "a": the views are more than 300000 values"#
        ),
        (crowded(300_000), "row: the views are more than 300000 values"),
        (
            Image(.url("file:///etc/passwd"), describing: "").node,
            "image: its URL does not begin with any of http, https"
        ),
        (
            Image(.bytes([], type: "image/svg+xml"), describing: "").node,
            "image: a picture is of the type image/png, image/jpeg, image/gif or image/webp"
        ),
        (ProgressBar("x", fraction: 1.5).node, "progress: its fraction is 1.5, expected 0.0 to 1.0"),
        (ProgressBar("x", fraction: .nan).node, "progress: its fraction is nan, expected 0.0 to 1.0"),
        (Grid(columns: 0) {}.node, "grid: a grid has 1 to 12 columns"),
        (
            Table(["a", "b"]) { TableRow(["1"]) }.node,
            "table › tableRow: it has 1 cells, and the table has 2 columns"
        ),
        (
            Table(["a", "b"]) { styled(["1", "2"], [.code]) }.node,
            "table › tableRow: it has 1 styles for 2 cells"
        ),
        (
            Table(["a"]) { styled(["yesterday"], [.time]) }.node,
            #"table › tableRow: its cell "yesterday" is not a time in RFC 3339 format"#
        ),
        (Badge("a\nb").node, "badge: its text contains the control character U+A"),
        (Table(["a"]) { Text("x") }.node, "table › text: a table contains only rows with cells"),
        (Table([]) {}.node, "table: a table has 1 to 64 columns"),
        (TableRow(["1"]).node, "tableRow: a row with cells belongs in a table"),
        (Tabs { Text("x") }.node, "tabs › text: tabs contain only tabs"),
        (Stack { Tab("x") {} }.node, "stack › tab: a tab belongs in tabs"),
        (Stack { Floating {} }.node, "stack › floating: a floating view cannot be inside another view"),
        (Floating(.top, offset: -1) {}.node, "floating: its offset is -1.0, expected 0.0 to 100.0"),
        (Stack { Field("a", "A", .text) }.node, #"stack › field "a": a field belongs in a form"#),
        (
            Form("x", .call("y", ["a": 1])) { Stack { Field("a", "A", .text) } }.node,
            #"form: two of its values are called "a""#
        ),
        (
            Form("x", .call("y")) { Form("z", .call("y")) {} }.node, "form: a form is inside another form"
        ),
        (
            Form("x", .call("y")) { Field("a", "A", .integer(least: 2, most: 1)) }.node,
            #"form › field "a": its range is empty"#
        ),
        (
            Form("x", .call("y")) { Field("a", "A", .number(least: .nan, most: 1)) }.node,
            #"form › field "a": its range is empty or endless"#
        ),
        (
            Form("x", .call("y")) { Field("a", "A", .number(least: 0, most: .infinity)) }.node,
            #"form › field "a": its range is empty or endless"#
        ),
        (
            Form("x", .call("y")) { Field("a", "A", .text, value: "\u{1B}[2J") }.node,
            #"form › field "a": its value contains the control character U+1B"#
        ),
        (
            Form("x", .call("y")) { Field("a", "A", .text, value: ["a": 1]) }.node,
            #"form › field "a": its value is of another kind"#
        ),
        (
            Form("x", .call("y")) { Field("a", "A", .number(least: 0, most: 1), value: .double(.nan)) }.node,
            #"form › field "a": its value is of another kind"#
        ),
        (
            Form("x", .call("y")) { Field("a", "A", .password, value: "secret") }.node,
            #"form › field "a": the value of a password field is never sent to a page"#
        ),
        (
            Form("x", .call("y")) { Field("a", "A", .choice([])) }.node,
            #"form › field "a": there is nothing to choose from"#
        ),
        (Form("x", .call("")) {}.node, "form: an action calls a selector without a name"),
        (
            Chart(.bar, title: "x", labels: ["a"], [ChartSeries(name: "s", values: [1, 2])]).node,
            "chart: a series has 2 values for 1 labels"
        ),
        (
            Chart(.bar, title: "x", labels: ["a"], [ChartSeries(name: "s", values: [.infinity])]).node,
            "chart: a value is not finite"
        ),
        (
            nested(25),
            String(repeating: "stack › ", count: 24) + "stack: views are nested more than 24 deep"
        ),
        (
            List((0..<10_000).map { $0 }) { Row("\($0)") }.node, "list › row: there are more than 10000 views"
        ),
        (Text(String(repeating: "x", count: 5 << 20)).node, "text: the views have more than 4194304 bytes"),
        (
            Button("x", .call("y", ["bytes": Payload([UInt8](repeating: 0, count: 5 << 20))])).node,
            "button: one of its values cannot be sent: bytes: expected at most 4194304 bytes, found more"
        ),
    ]

    /// A row with many actions.
    private static func crowded(_ count: Int) -> ViewNode {
        var row = Row("x").node
        row.sideActions = [Action](repeating: .refresh(), count: count)
        return row
    }

    /// A row as a component can send it, but not make it with ``TableRow``.
    private static func styled(_ cells: [String], _ styles: [CellStyle]) -> ViewNode {
        var row = TableRow([String]()).node
        row.content = .tableRow(TableRowContent(cells: cells, styles: styles))
        return row
    }

    /// Stacks in each other.
    private static func nested(_ depth: Int) -> ViewNode {
        (1..<depth).reduce(Stack {}.node) { inner, _ in Stack { inner }.node }
    }

    /// Views of megabytes would make the log as large.
    @Test("are refused with the place and the reason", arguments: wrong.indices)
    func refused(index: Int) {
        let (view, problem) = Self.wrong[index]
        let error = #expect(throws: ViewError.self) { try view.check() }
        #expect(error?.description == problem)
    }

    @Test("views at the limits are shown")
    func atTheLimits() throws {
        try Self.nested(24).check()
        try Table(["a", "b"]) {
            Self.styled(["2026-01-02T03:04:05.006Z", ""], [.time, .time])
            Self.styled(["1", "2"], [])
        }.node.check()
        try List((0..<9_999).map { $0 }) { Row("\($0)") }.node.check()
        var limits = ViewLimits()
        limits.values = 3
        let chart = Chart(.bar, title: "", labels: ["", ""], [ChartSeries(name: "", values: [1, 2])]).node
        #expect(throws: ViewError.self) { try chart.check(limits) }
        limits.values = 5
        try chart.check(limits)
        #expect(throws: ViewError.self) { try Stack { [chart, chart] }.node.check(limits) }
    }
}

@Suite("What a person fills in")
struct FieldValueTests {
    static let values: [(kind: FieldKind, isRequired: Bool, text: String, value: Payload?)] = [
        (.text, false, "", .null), (.text, true, "", nil), (.text, false, "a\nb", nil), (.text, true, "ä", "ä"),
        (.text(longest: 2), false, "👩‍👩‍👧x", "👩‍👩‍👧x"), (.text(longest: 2), false, "abc", nil),
        (.lines(longest: 5), false, "a\nb", "a\nb"), (.lines(longest: 5), false, "a\r\nb\rc", "a\nb\nc"),
        (.text, false, "a\u{1B}", nil), (.email, false, "\u{0}@b", nil), (.text, false, "a\u{202E}b", "a\u{202E}b"),
        (.text, false, "a\tb", nil), (.lines(longest: 5), false, "a\tb", "a\tb"),
        (.lines(longest: 2), false, "a\nb", nil),
        (.password, false, " x ", " x "), (.password, false, String(repeating: "x", count: 1025), nil),
        (.email, false, "a@b", "a@b"), (.email, false, "a@", nil), (.email, false, "a@b@c", nil),
        (.email, false, "a b@c", nil),
        (.integer(least: 0, most: 9), false, "9", 9), (.integer(least: 0, most: 9), false, "10", nil),
        (.integer(least: 0, most: 9), false, "1.0", nil), (.integer(least: 0, most: 9), true, "", nil),
        (.number(least: 0, most: 1), false, "0.5", 0.5), (.number(least: 0, most: 1), false, "nan", nil),
        (.number(least: 0, most: 10), false, "0x1p1", nil),
        (.number(least: 0, most: .infinity), false, "1e400", nil), (.number(least: 0, most: 1), false, "1e9", nil),
        (.toggle, false, "", false), (.toggle, false, "on", true), (.toggle, false, "true", true),
        (.toggle, true, "", nil), (.toggle, true, "off", nil), (.toggle, true, "on", true),
        (.date, false, "2024-02-29", "2024-02-29"), (.date, false, "2023-02-29", nil),
        (.date, false, "2000-02-29", "2000-02-29"), (.date, false, "1900-02-29", nil),
        (.date, false, "2026-13-01", nil), (.date, false, "26-01-01", nil), (.date, false, "2026-1-001", nil),
        (.choice([FieldChoice(value: "a", title: "A")]), false, "a", "a"),
        (.choice([FieldChoice(value: "a", title: "A")]), false, "A", nil),
    ]

    @Test("is read as the kind of its field, or refused with words", arguments: values)
    func value(kind: FieldKind, isRequired: Bool, text: String, value: Payload?) {
        let field = FieldContent(name: "x", label: "X", kind: kind, isRequired: isRequired)
        do {
            #expect(try field.value(of: text) == value)
        } catch {
            #expect(value == nil && error.description.hasSuffix("."))
        }
    }

    @Test("is written in the field so that it is read as the same value", arguments: values.filter { $0.value != nil })
    func written(kind: FieldKind, isRequired: Bool, text: String, value: Payload?) throws {
        let field = FieldContent(name: "x", label: "X", kind: kind, value: value ?? .null, isRequired: isRequired)
        #expect(try field.value(of: field.writtenValue ?? "") == value)
        // A password is never shown again.
        guard kind != .password else { return }
        try Form("Save", .call("save")) { Field("x", "X", kind, value: field.value) }.node.check()
    }

    @Test(
        "numbers have all their digits or few, and no point if they are whole",
        arguments: [
            (25, "25", "25"), (-29.97, "-29.97", "-29.97"), (1.0 / 3, "0.3333333333333333", "0.333"),
            (1e16, "1e+16", "1e+16"),
        ])
    func numbers(number: Double, written: String, short: String) {
        #expect(number.writtenText == written)
        #expect(number.shortText == short)
    }
}

extension Action {
    /// The same action, which asks for so many parts of a list.
    fileprivate func asking(_ parts: Int) -> Action {
        var copy = self
        copy.parts = parts
        return copy
    }
}
